# One library per layer, linked only to the layer below it, with its own include root:
# an upward #include does not compile. The names emissary::eta ... are given in SharedLibrary.cmake.
include(GNUInstallDirs)
set(EMISSARY_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/emissary)  # a folder of our own: other EMA headers may live beside it
set_property(GLOBAL PROPERTY EMISSARY_LAYERS "")
set_property(GLOBAL PROPERTY EMISSARY_LAYER_LIBS "")

function(emissary_layer name)
  cmake_parse_arguments(L "" "" "SOURCES;BELOW;PRIVATE_LIBS" ${ARGN})
  add_library(emissary_${name} STATIC ${L_SOURCES})
  set_target_properties(emissary_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  # Nobody replaces single functions of ours at run time: without this GCC, which must assume it in code for shared
  # libraries, calls what it could build in.
  target_compile_options(emissary_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  target_compile_features(emissary_${name} PUBLIC cxx_std_20)
  target_include_directories(emissary_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${EMISSARY_INCLUDE_DIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(emissary_${name}
    PUBLIC ${L_BELOW} PRIVATE ${L_PRIVATE_LIBS} $<BUILD_INTERFACE:emissary_warnings>)
  emissary_precompile(emissary_${name})
  set_property(GLOBAL APPEND PROPERTY EMISSARY_LAYERS ${name})
  set_property(GLOBAL APPEND PROPERTY EMISSARY_LAYER_LIBS ${L_PRIVATE_LIBS})
  install(TARGETS emissary_${name} EXPORT emissaryTargets ARCHIVE COMPONENT dev)
  install(DIRECTORY include/ DESTINATION ${EMISSARY_INCLUDE_DIR} COMPONENT dev)
endfunction()
