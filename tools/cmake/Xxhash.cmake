# xxHash comes without CMake files, so lockstep::xxhash is made here, for this build and for whoever
# uses the installed package.

if(NOT TARGET lockstep::xxhash)
  find_path(LOCKSTEP_XXHASH_INCLUDE xxhash.h REQUIRED)
  find_library(LOCKSTEP_XXHASH_LIBRARY xxhash REQUIRED)
  mark_as_advanced(LOCKSTEP_XXHASH_INCLUDE LOCKSTEP_XXHASH_LIBRARY)
  add_library(lockstep::xxhash UNKNOWN IMPORTED GLOBAL)
  set_target_properties(lockstep::xxhash PROPERTIES
    IMPORTED_LOCATION "${LOCKSTEP_XXHASH_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${LOCKSTEP_XXHASH_INCLUDE}")
endif()
