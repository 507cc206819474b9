# lockstep_layer(NAME <layer>
#                SOURCES <.cpp>...       the library; may be empty, then the layer is headers only
#                TESTS <_test.cpp>...    one test program for the layer
#                DEPENDS <layer>...      layers it may call; checked against the arrows below
#                LIBS <target>...        external libraries
#                [TEST_SUPPORT <.cpp>...]  linked into the test program, not tests themselves
#                [TEST_LIBS <target>...]   more libraries for the test program
#                [ELSEWHERE <path>...])    files or folders that another target lists
#
# makes
#   lockstep_<layer>            the static library, also called lockstep::<layer>
#   lockstep_<layer>_link_test  the whole library linked with its permitted dependencies alone:
#                               a call into an upper layer does not link
#   lockstep_<layer>_test       the tests, each known to ctest by its own name
#   headers_alone               (one target for all layers) each header compiled by itself
#
# Configuration fails for a .cpp in the layer's folder that nothing lists: a test that nobody
# builds is a test that nobody has.

set(lockstep_arrows_sim "")
set(lockstep_arrows_protocol sim)
set(lockstep_arrows_invariants protocol sim)
set(lockstep_arrows_traces protocol sim)
set(lockstep_arrows_scenarios invariants traces protocol sim)
set(lockstep_arrows_tools scenarios invariants traces protocol sim)

if(LOCKSTEP_TESTS)
  add_custom_target(headers_alone)
endif()

function(lockstep_complain)
  list(JOIN ARGN "\n" text)
  if(LOCKSTEP_ALLOW_UNLISTED)
    message(WARNING "${text}")
  else()
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

# Fails for every .cpp below the current folder that is not in the arguments. A folder among the
# arguments stands for everything in it.
function(lockstep_require_listed)
  file(GLOB_RECURSE found RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  file(RELATIVE_PATH folder "${lockstep_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  set(orphans "")
  foreach(file IN LISTS found)
    set(listed FALSE)
    foreach(entry IN LISTS ARGN)
      string(FIND "${file}" "${entry}/" position)
      if(file STREQUAL entry OR position EQUAL 0)
        set(listed TRUE)
        break()
      endif()
    endforeach()
    if(NOT listed)
      if(file MATCHES "_test\\.cpp$")
        list(APPEND orphans "  ${folder}/${file} (add it to TESTS)")
      else()
        list(APPEND orphans "  ${folder}/${file} (add it to SOURCES)")
      endif()
    endif()
  endforeach()
  if(orphans)
    lockstep_complain("lockstep: ${folder}/CMakeLists.txt does not list" ${orphans})
  endif()
endfunction()

# Leaves in `out` the files of the arguments that exist, and complains about the others.
function(lockstep_require_present out)
  set(present "")
  foreach(file IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
      list(APPEND present "${file}")
    else()
      lockstep_complain("lockstep: a file that does not exist is listed:" "  ${file} in"
        "  ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt")
    endif()
  endforeach()
  set(${out} "${present}" PARENT_SCOPE)
endfunction()

function(lockstep_link_test layer library)
  set(source "${lockstep_BINARY_DIR}/link_test/${layer}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "int main() { return 0; }\n" @ONLY)
  add_executable(${library}_link_test "${source}")
  target_link_libraries(${library}_link_test PRIVATE
    lockstep_flags "$<LINK_LIBRARY:WHOLE_ARCHIVE,${library}>")
  add_test(NAME link_test.${layer} COMMAND ${library}_link_test)
  set_tests_properties(link_test.${layer} PROPERTIES LABELS "${layer};lint")
endfunction()

# A gtest program whose tests ctest knows one by one.
function(lockstep_gtest target label)
  target_sources(${target} PRIVATE "${lockstep_SOURCE_DIR}/tools/testing/test_main.cpp")
  target_link_libraries(${target} PRIVATE lockstep_test_flags)
  lockstep_use_pch(${target} lockstep_test_pch)
  # Printed parameter values may hold anything, which is too much for a test's name.
  gtest_discover_tests(${target} NO_PRETTY_VALUES DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 600
    PROPERTIES TIMEOUT 600 LABELS "${label}")
endfunction()

function(lockstep_headers_alone layer library libs)
  file(GLOB_RECURSE headers RELATIVE "${lockstep_SOURCE_DIR}" CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  list(FILTER headers EXCLUDE REGEX "^tools/(cmake|tidy/fixtures)/")
  set(stubs "")
  foreach(header IN LISTS headers)
    set(stub "${lockstep_BINARY_DIR}/headers_alone/${header}.cpp")
    file(CONFIGURE OUTPUT "${stub}" CONTENT "#include \"${header}\"\n" @ONLY)
    list(APPEND stubs "${stub}")
  endforeach()
  if(stubs)
    add_library(${library}_headers_alone OBJECT EXCLUDE_FROM_ALL ${stubs})
    target_compile_options(${library}_headers_alone PRIVATE -O0)
    target_link_libraries(${library}_headers_alone PRIVATE
      ${library} ${libs} lockstep_test_flags)
    add_dependencies(headers_alone ${library}_headers_alone)
  endif()
endfunction()

function(lockstep_layer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME"
    "SOURCES;TESTS;DEPENDS;LIBS;TEST_SUPPORT;TEST_LIBS;ELSEWHERE")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "lockstep_layer: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(upper IN LISTS arg_DEPENDS)
    if(NOT upper IN_LIST lockstep_arrows_${arg_NAME})
      message(FATAL_ERROR "lockstep: layer ${arg_NAME} may depend on: \
${lockstep_arrows_${arg_NAME}}; not on ${upper}")
    endif()
  endforeach()
  lockstep_require_listed(${arg_SOURCES} ${arg_TESTS} ${arg_TEST_SUPPORT} ${arg_ELSEWHERE})
  lockstep_require_present(sources ${arg_SOURCES})
  lockstep_require_present(tests ${arg_TESTS})
  lockstep_require_present(test_support ${arg_TEST_SUPPORT})

  set(library lockstep_${arg_NAME})
  list(TRANSFORM arg_DEPENDS PREPEND lockstep_ OUTPUT_VARIABLE lower)
  if(sources)
    set(scope PUBLIC)
    add_library(${library} STATIC ${sources})
    lockstep_use_pch(${library} lockstep_pch)
  else()
    set(scope INTERFACE)
    add_library(${library} INTERFACE)
  endif()
  # The warnings are for this build alone; whoever uses the installed package has his own.
  target_link_libraries(${library} ${scope}
    $<BUILD_INTERFACE:lockstep_flags> ${lower} ${arg_LIBS} fmt::fmt)
  target_include_directories(${library} ${scope} $<INSTALL_INTERFACE:include/lockstep>)
  target_compile_features(${library} ${scope} cxx_std_20)
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${arg_NAME})
  add_library(lockstep::${arg_NAME} ALIAS ${library})

  if(LOCKSTEP_TESTS)
    if(sources)
      lockstep_link_test(${arg_NAME} ${library})
    endif()
    if(tests)
      add_executable(${library}_test ${tests} ${test_support})
      target_link_libraries(${library}_test PRIVATE ${library} ${arg_TEST_LIBS})
      lockstep_gtest(${library}_test ${arg_NAME})
    endif()
    lockstep_headers_alone(${arg_NAME} ${library} "${arg_TEST_LIBS}")
  endif()
endfunction()
