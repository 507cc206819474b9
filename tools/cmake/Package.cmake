# cmake --install: the program, the libraries and headers of the layers below tools, and the CMake
# package, so that find_package(lockstep) gives lockstep::sim up to lockstep::scenarios.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(lockstep_installed_layers sim protocol invariants traces scenarios)
set(lockstep_installed_targets ${lockstep_installed_layers})
list(TRANSFORM lockstep_installed_targets PREPEND lockstep_)

if(TARGET lockstep)
  install(TARGETS lockstep RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(TARGETS ${lockstep_installed_targets} EXPORT lockstepTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT lockstepTargets NAMESPACE lockstep::
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
foreach(layer IN LISTS lockstep_installed_layers)
  install(DIRECTORY ${layer} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/lockstep"
    FILES_MATCHING PATTERN "*.h")
endforeach()

file(CONFIGURE OUTPUT "${lockstep_BINARY_DIR}/lockstepConfig.cmake" @ONLY CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(Boost 1.81 COMPONENTS context)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(Threads)
include(\"\${CMAKE_CURRENT_LIST_DIR}/Xxhash.cmake\")
include(\"\${CMAKE_CURRENT_LIST_DIR}/lockstepTargets.cmake\")
")
write_basic_package_version_file("${lockstep_BINARY_DIR}/lockstepConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${lockstep_BINARY_DIR}/lockstepConfig.cmake"
  "${lockstep_BINARY_DIR}/lockstepConfigVersion.cmake"
  "${lockstep_SOURCE_DIR}/tools/cmake/Xxhash.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/lockstep")
