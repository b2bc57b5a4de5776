# `cmake --install` puts libraries, headers, a CMake package and pkg-config files, programs, their data, pages of the manual
# and documents where users look for them. Components, which are the packages of cmake/Packages.cmake: runtime, data, dev, tools, hub.
include(CMakePackageConfigHelpers)
set(EMISSARY_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Emissary)
set(EMISSARY_DOC_DIR ${CMAKE_INSTALL_DATADIR}/doc/emissary)
set(EMISSARY_DATA_DIR ${CMAKE_INSTALL_DATADIR}/emissary)
configure_package_config_file(cmake/EmissaryConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/install/EmissaryConfig.cmake
  INSTALL_DESTINATION ${EMISSARY_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/install/EmissaryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/EmissaryConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/install/EmissaryConfigVersion.cmake
  cmake/FindLz4.cmake
  DESTINATION ${EMISSARY_PACKAGE_DIR} COMPONENT dev)
install(EXPORT emissaryTargets FILE EmissaryTargets.cmake NAMESPACE emissary:: DESTINATION ${EMISSARY_PACKAGE_DIR} COMPONENT dev)

# -lemissary without the shared library, or with -static: one archive of all layers, put together when it is installed.
set(script "CREATE libemissary.a\n")
foreach(layer IN LISTS EMISSARY_LAYER_NAMES)
  string(APPEND script "ADDLIB $<TARGET_FILE:emissary_${layer}>\n")
endforeach()
string(APPEND script "SAVE\nEND\n")
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/install/libemissary.mri CONTENT "${script}")
install(CODE "execute_process(COMMAND \"${CMAKE_AR}\" -M INPUT_FILE libemissary.mri
  WORKING_DIRECTORY \"${CMAKE_CURRENT_BINARY_DIR}/install\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT dev)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/libemissary.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)

# What the shared library needs is the business of its own loading; archives leave it to who links them.
# They are named one by one: what libxml-2.0.pc asks for with --static is not all in packages that libxml2-dev depends on.
set(libs " -lxml2 -lssl -lcrypto -lz -llz4 -lsimdjson -ldl -pthread")
set(libs_private "")
if(EMISSARY_SHARED)
  string(STRIP "${libs}" libs_private)
  set(libs "")
endif()
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)  # so the files may be moved together
foreach(part ema book)
  set(description "Market-data message API in the style of EMA, over RSSL/RWF and rssl.json.v2")
  if(part STREQUAL "book")
    set(description "Order books built from market-data messages")
  endif()
  configure_file(cmake/emissary.pc.in ${CMAKE_CURRENT_BINARY_DIR}/install/emissary-${part}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/install/emissary-${part}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT dev)
endforeach()

install(DIRECTORY docs/ DESTINATION ${EMISSARY_DOC_DIR} COMPONENT dev PATTERN site EXCLUDE)
install(FILES README.md CHANGELOG.md DESTINATION ${EMISSARY_DOC_DIR} COMPONENT dev)
install(DIRECTORY examples DESTINATION ${EMISSARY_DOC_DIR} COMPONENT dev)
# Each package has the licence and the changelog in a folder of its own; compressed without a time, so that builds are alike.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS packaging/debian/changelog)
execute_process(COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/changelog
  OUTPUT_FILE ${CMAKE_CURRENT_BINARY_DIR}/install/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
set(EMISSARY_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(package runtime=libemissary${EMISSARY_SOVERSION} data=emissary-data dev=libemissary-dev tools=emissary-tools hub=emissary-hub)
  string(REPLACE "=" ";" package ${package})
  list(GET package 0 component)
  list(GET package 1 folder)
  install(FILES NOTICE packaging/debian/copyright ${CMAKE_CURRENT_BINARY_DIR}/install/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${folder} COMPONENT ${component})
endforeach()

# Debian has the text of the licence already (packaging/debian/copyright names it); archives and --install bring it along.
install(FILES LICENSE DESTINATION ${EMISSARY_DOC_DIR} COMPONENT archive)

# Providers and consumers look for the dictionaries there when the working folder has none (config/options/dictionary_files.h).
install(FILES etc/RDMFieldDictionary etc/enumtype.def DESTINATION ${EMISSARY_DATA_DIR} COMPONENT data)

if(EMISSARY_BUILD_TOOLS)
  # What the tools read stands together; README.md of the folder says how to begin.
  install(FILES EmaConfig.xml etc/MsgData.xml packaging/README.md DESTINATION ${EMISSARY_DATA_DIR} COMPONENT tools)
  install(FILES etc/systemd/emissary-hub.service DESTINATION lib/systemd/system COMPONENT hub)
  install(FILES etc/sysusers.d/emissary-hub.conf DESTINATION lib/sysusers.d COMPONENT hub)
  install(FILES packaging/HubConfig.xml DESTINATION ${EMISSARY_DATA_DIR} COMPONENT hub)
  install(DIRECTORY packaging/monitoring DESTINATION ${EMISSARY_DATA_DIR} COMPONENT hub)
endif()
