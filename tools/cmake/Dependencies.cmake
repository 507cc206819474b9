# Every external library, found once. tools/packages lists the Debian packages they come from.

find_package(Boost 1.81 REQUIRED COMPONENTS context)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)

include(Xxhash)

if(LOCKSTEP_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()

if(LOCKSTEP_BENCHMARKS)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    message(STATUS "lockstep: Google Benchmark not found, lockstep_bench is left out")
  endif()
endif()
