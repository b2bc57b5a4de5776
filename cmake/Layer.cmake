# One library per layer, linked only to the layer below it, with its own include root:
# an upward #include does not compile. The names emissary::eta ... are given in SharedLibrary.cmake.
#
# FOR_CUSTOMERS: the headers are those of the public API. They are C++17, need no include folder of another layer, and so ask
# a program that links the layer for no more. The few headers of lower layers that they include stand in the layer's own
# include folder as symbolic links; their owners install the headers themselves.
# ABOVE_API_OF LAYER: the library is linked and its public headers are seen, but no header of a layer below that one.
include(GNUInstallDirs)
set(EMISSARY_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/emissary)  # a folder of our own: other EMA headers may live beside it
set_property(GLOBAL PROPERTY EMISSARY_LAYERS "")
set_property(GLOBAL PROPERTY EMISSARY_LAYER_LIBS "")

function(emissary_layer name)
  cmake_parse_arguments(L "FOR_CUSTOMERS" "" "SOURCES;BELOW;ABOVE_API_OF;PRIVATE_LIBS" ${ARGN})
  add_library(emissary_${name} STATIC ${L_SOURCES})
  set_target_properties(emissary_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  # Nobody replaces single functions of ours at run time: without this GCC, which must assume it in code for shared
  # libraries, calls what it could build in.
  target_compile_options(emissary_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  set(standard cxx_std_20)
  if(L_FOR_CUSTOMERS)
    set(standard cxx_std_17)
  endif()
  target_compile_features(emissary_${name} PRIVATE cxx_std_20 INTERFACE ${standard})
  target_include_directories(emissary_${name}
    PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${EMISSARY_INCLUDE_DIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  if(L_FOR_CUSTOMERS)
    # A program links what is below, and learns nothing of it: the layers below ask for C++20.
    foreach(below IN LISTS L_BELOW)
      target_link_libraries(emissary_${name} PUBLIC $<BUILD_INTERFACE:${below}> $<INSTALL_INTERFACE:$<LINK_ONLY:${below}>>)
    endforeach()
  else()
    target_link_libraries(emissary_${name} PUBLIC ${L_BELOW})
  endif()
  foreach(api IN LISTS L_ABOVE_API_OF)
    # LINK_ONLY hides include folders from those who link the target that has it, not from that target itself.
    add_library(emissary_${name}_links_${api} INTERFACE)
    target_link_libraries(emissary_${name}_links_${api} INTERFACE $<LINK_ONLY:emissary_${api}>)
    target_link_libraries(emissary_${name} PRIVATE $<BUILD_INTERFACE:emissary_${name}_links_${api}>
      INTERFACE $<INSTALL_INTERFACE:$<LINK_ONLY:emissary_${api}>>)
    target_include_directories(emissary_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/${api}/include>)
  endforeach()
  target_link_libraries(emissary_${name} PRIVATE ${L_PRIVATE_LIBS} $<BUILD_INTERFACE:emissary_warnings>)
  string(TOUPPER ${name} layer)
  emissary_precompile(emissary_${name} ${EMISSARY_PCH_${layer}})
  emissary_merge_sources(emissary_${name})
  set_property(GLOBAL APPEND PROPERTY EMISSARY_LAYERS ${name})
  set_property(GLOBAL APPEND PROPERTY EMISSARY_LAYER_LIBS ${L_PRIVATE_LIBS})
  install(TARGETS emissary_${name} EXPORT emissaryTargets ARCHIVE COMPONENT dev)
  if(L_FOR_CUSTOMERS)
    set_property(GLOBAL APPEND PROPERTY EMISSARY_CUSTOMER_LAYERS ${name})
    set(links PATTERN logging EXCLUDE PATTERN config EXCLUDE PATTERN emissary/Counter.h EXCLUDE
      PATTERN emissary/wire_numbers.h EXCLUDE)
  endif()
  install(DIRECTORY include/ DESTINATION ${EMISSARY_INCLUDE_DIR} COMPONENT dev ${links})
endfunction()
