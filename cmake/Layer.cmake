# One library per layer, linked only to the layer below it, with its own include root:
# an upward #include does not compile.
function(emissary_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;BELOW;PRIVATE_LIBS" ${ARGN})
  add_library(emissary_${name} STATIC ${L_SOURCES})
  add_library(emissary::${name} ALIAS emissary_${name})
  set_target_properties(emissary_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(emissary_${name} PUBLIC cxx_std_20)
  target_include_directories(emissary_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(emissary_${name}
    PUBLIC ${L_BELOW} PRIVATE ${L_PRIVATE_LIBS} $<BUILD_INTERFACE:emissary_warnings>)
  emissary_precompile(emissary_${name})
  install(TARGETS emissary_${name} EXPORT emissaryTargets)
  install(DIRECTORY include/ DESTINATION include)
endfunction()
