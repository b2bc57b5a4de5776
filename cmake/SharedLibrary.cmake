# libemissary: the layers from eta to book as one shared library, made of the objects of the archives, with the public API
# exported and everything else hidden (emissary.map). And the names under which programs link: emissary::ema is the archive,
# or the shared library where the user asks with BUILD_SHARED_LIBS for shared ones.
option(BUILD_SHARED_LIBS "Programs that link emissary::ema use the shared library" OFF)
set(EMISSARY_SHARED_DEFAULT ON)
if(EMISSARY_SANITIZE OR EMISSARY_FUZZ OR NOT (PROJECT_IS_TOP_LEVEL OR BUILD_SHARED_LIBS))
  set(EMISSARY_SHARED_DEFAULT OFF)
endif()
option(EMISSARY_SHARED "Build libemissary.so besides the archives" ${EMISSARY_SHARED_DEFAULT})
if(BUILD_SHARED_LIBS AND NOT EMISSARY_SHARED)
  message(FATAL_ERROR "BUILD_SHARED_LIBS asks for a shared library, and EMISSARY_SHARED=OFF builds none: set EMISSARY_SHARED=ON "
    "(a build with EMISSARY_SANITIZE or EMISSARY_FUZZ has it off by default).")
endif()

get_property(EMISSARY_LAYER_NAMES GLOBAL PROPERTY EMISSARY_LAYERS)
if(EMISSARY_SHARED)
  set(objects)
  foreach(layer IN LISTS EMISSARY_LAYER_NAMES)
    list(APPEND objects $<TARGET_OBJECTS:emissary_${layer}>)
  endforeach()
  get_property(libraries GLOBAL PROPERTY EMISSARY_LAYER_LIBS)
  list(REMOVE_DUPLICATES libraries)
  add_library(emissary SHARED ${objects})
  set_target_properties(emissary PROPERTIES
    LINKER_LANGUAGE CXX
    EXPORT_NAME shared
    VERSION ${PROJECT_VERSION}
    # Before 1.0 a minor version may change what is exported (docs/releasing.md), so it is a part of the name.
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINK_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/emissary.map)
  target_compile_features(emissary PRIVATE cxx_std_20 INTERFACE cxx_std_17)
  foreach(layer IN LISTS EMISSARY_LAYER_NAMES)
    target_include_directories(emissary INTERFACE
      $<BUILD_INTERFACE:$<TARGET_PROPERTY:emissary_${layer},INTERFACE_INCLUDE_DIRECTORIES>>)
  endforeach()
  target_include_directories(emissary INTERFACE $<INSTALL_INTERFACE:${EMISSARY_INCLUDE_DIR}>)
  foreach(library IN LISTS libraries)  # one by one: CMake 3.22 takes no list inside $<BUILD_INTERFACE:>
    target_link_libraries(emissary PRIVATE $<BUILD_INTERFACE:${library}>)
  endforeach()
  target_link_libraries(emissary PUBLIC Threads::Threads)
  target_link_options(emissary PRIVATE
    LINKER:--version-script=${CMAKE_CURRENT_SOURCE_DIR}/cmake/emissary.map LINKER:-z,defs LINKER:--as-needed)
  install(TARGETS emissary EXPORT emissarySharedTargets
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
  install(EXPORT emissarySharedTargets FILE EmissarySharedTargets.cmake NAMESPACE emissary::
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Emissary COMPONENT dev)
endif()

# A program that uses the public API alone is C++17 or later; whoever uses the headers of another layer needs C++20.
get_property(customer_layers GLOBAL PROPERTY EMISSARY_CUSTOMER_LAYERS)
foreach(layer IN LISTS EMISSARY_LAYER_NAMES)
  if(BUILD_SHARED_LIBS)
    add_library(emissary_shared_${layer} INTERFACE)
    target_link_libraries(emissary_shared_${layer} INTERFACE emissary)
    if(NOT layer IN_LIST customer_layers)
      target_compile_features(emissary_shared_${layer} INTERFACE cxx_std_20)
    endif()
    add_library(emissary::${layer} ALIAS emissary_shared_${layer})
  elseif(layer IN_LIST customer_layers)
    # As the installed package has it: the archives below are linked, and ask for nothing.
    add_library(emissary_archive_${layer} INTERFACE)
    target_compile_features(emissary_archive_${layer} INTERFACE cxx_std_17)
    target_link_libraries(emissary_archive_${layer} INTERFACE $<LINK_ONLY:emissary_${layer}>)
    foreach(part IN LISTS customer_layers)
      target_include_directories(emissary_archive_${layer} INTERFACE ${PROJECT_SOURCE_DIR}/${part}/include)
      if(part STREQUAL layer)
        break()
      endif()
    endforeach()
    add_library(emissary::${layer} ALIAS emissary_archive_${layer})
  else()
    add_library(emissary::${layer} ALIAS emissary_${layer})
  endif()
endforeach()
