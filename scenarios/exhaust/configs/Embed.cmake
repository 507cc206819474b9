# Makes a source file of the configurations, so that the program has them wherever it is started.
#
# lockstep_embed_configs(<target> <name>...): configs/<name>.json become EmbeddedConfigs().

function(lockstep_embed_configs target)
  set(folder "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(embedded_rows "")
  list(LENGTH ARGN embedded_count)
  foreach(name IN LISTS ARGN)
    set(file "${folder}/${name}.json")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
    file(READ "${file}" text)
    string(APPEND embedded_rows "    {\"${name}\", R\"json(${text})json\"},\n")
  endforeach()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_configs.cpp")
  configure_file("${folder}/embedded_configs.cpp.in" "${source}" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()
