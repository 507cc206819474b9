# Flags that every target of this project is compiled with, as the interface library
# lockstep_flags, and the two precompiled headers that the targets share.
#
# No flag here may change what a program computes: a seed gives the same trace with every
# compiler and build type, so -ffast-math and its kin are out.

set(lockstep_warnings
  -Wall -Wextra -Wpedantic -Werror
  -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  -Wcast-align -Wcast-qual -Wformat=2 -Wimplicit-fallthrough -Wunused -Wextra-semi -Wvla
  -Wdouble-promotion -Wundef)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND lockstep_warnings
    -Wduplicated-cond -Wlogical-op -Wsuggest-override
    # g++ 12 reports these inside libstdc++ for correct code (GCC bugs 105651, 105562, 105329), and
    # which code depends on the length of a path. The sanitizers look for the real ones.
    -Wno-restrict -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND lockstep_warnings
    -Wshadow-all -Wno-shadow-field-in-constructor -Wno-gnu-zero-variadic-macro-arguments)
endif()

add_library(lockstep_flags INTERFACE)
target_compile_options(lockstep_flags INTERFACE ${lockstep_warnings})
target_include_directories(lockstep_flags INTERFACE "${lockstep_SOURCE_DIR}")
target_compile_features(lockstep_flags INTERFACE cxx_std_20)

if(LOCKSTEP_SANITIZE)
  target_compile_options(lockstep_flags INTERFACE
    -fsanitize=${LOCKSTEP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(lockstep_flags INTERFACE -fsanitize=${LOCKSTEP_SANITIZE})
endif()

# What a test sees beyond its layer.
if(LOCKSTEP_TESTS)
  add_library(lockstep_test_flags INTERFACE)
  target_link_libraries(lockstep_test_flags INTERFACE
    lockstep_flags fmt::fmt GTest::gtest GTest::gmock rapidcheck rapidcheck_gtest)
  target_compile_definitions(lockstep_test_flags INTERFACE
    LOCKSTEP_SOURCE_DIR="${lockstep_SOURCE_DIR}" LOCKSTEP_BINARY_DIR="${lockstep_BINARY_DIR}")
endif()

if(LOCKSTEP_PCH)
  file(WRITE "${lockstep_BINARY_DIR}/pch/empty.cpp.new" "// The owner of a precompiled header.\n")
  file(COPY_FILE "${lockstep_BINARY_DIR}/pch/empty.cpp.new" "${lockstep_BINARY_DIR}/pch/empty.cpp"
    ONLY_IF_DIFFERENT)
  add_library(lockstep_pch OBJECT "${lockstep_BINARY_DIR}/pch/empty.cpp")
  target_link_libraries(lockstep_pch PRIVATE lockstep_flags fmt::fmt)
  target_precompile_headers(lockstep_pch PRIVATE "${lockstep_SOURCE_DIR}/tools/cmake/layer_pch.h")
  if(LOCKSTEP_TESTS)
    add_library(lockstep_test_pch OBJECT "${lockstep_BINARY_DIR}/pch/empty.cpp")
    target_link_libraries(lockstep_test_pch PRIVATE lockstep_test_flags)
    target_precompile_headers(lockstep_test_pch PRIVATE
      "${lockstep_SOURCE_DIR}/tools/cmake/test_pch.h")
  endif()
endif()

function(lockstep_use_pch target owner)
  if(LOCKSTEP_PCH)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
