# Packages: `cpack --config build/release/CPackConfig.cmake` writes five .deb files and a .tar.gz (-G DEB or -G TGZ: only these).
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME emissary)
set(CPACK_PACKAGE_VENDOR "Emissary")
set(CPACK_PACKAGE_CONTACT "The Emissary authors <emissary@packages.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Market-data message API, performance tools and distribution hub")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL runtime data dev tools hub)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)  # one archive of everything

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
# Lines of descriptions have 80 characters at most.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libemissary${EMISSARY_SOVERSION})
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Market-data message API in the style of EMA: shared library
 RSSL/RWF and rssl.json.v2 connections behind OmmConsumer and OmmProvider, and
 order books.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libcurl4 | libcurl4t64, libmicrohttpd12 | libmicrohttpd12t64")  # loaded when they are used
# One version of the library took this name before.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONFLICTS libemissary)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_REPLACES libemissary)
# CPack would call ldconfig from a script that it writes itself, where a trigger is right: it leaves that alone for a package whose
# programs and libraries it does not look at. So what this one needs is asked for by packaging/debian/depends.cmake.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS OFF)
if(EMISSARY_SHARED)
  set(CPACK_EMISSARY_LIBRARY ${CMAKE_BINARY_DIR}/libemissary.so.${PROJECT_VERSION})
endif()
set(CPACK_EMISSARY_VERSION ${PROJECT_VERSION})
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/depends.cmake)
configure_file(packaging/debian/shlibs.in ${CMAKE_CURRENT_BINARY_DIR}/install/shlibs @ONLY)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/triggers ${CMAKE_CURRENT_BINARY_DIR}/install/shlibs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Beside every version of the library, and so in a package of its own.
set(CPACK_DEBIAN_DATA_PACKAGE_NAME emissary-data)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION misc)
set(CPACK_DEBIAN_DATA_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DATA_PACKAGE_CONFLICTS libemissary)
set(CPACK_DEBIAN_DATA_PACKAGE_REPLACES libemissary)
set(CPACK_DEBIAN_DATA_DESCRIPTION "Market-data dictionaries
 RDMFieldDictionary and enumtype.def, which the library reads when the working
 folder has neither file.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libemissary-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libemissary${EMISSARY_SOVERSION} (= ${PROJECT_VERSION}), libxml2-dev, libssl-dev, zlib1g-dev, liblz4-dev, libsimdjson-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libboost1.81-dev | libboost-dev (>= 1.81)")  # the headers of reactor alone want it
set(CPACK_DEBIAN_DEV_DESCRIPTION "Market-data message API in the style of EMA: development files
 Headers, archives, documents and examples, with a CMake package
 (find_package(Emissary)) and pkg-config files (emissary-ema, emissary-book).")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME emissary-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "python3, emissary-data (= ${PROJECT_VERSION})")  # perfreport; the dictionaries
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Performance tools for market-data connections
 EmaCppConsPerf, EmaCppIProvPerf, EmaCppNIProvPerf, TransportPerf, rwfcat,
 perfreport, bookbench, hubload, webfeed, wsload and their data.")
set(CPACK_DEBIAN_HUB_PACKAGE_NAME emissary-hub)
set(CPACK_DEBIAN_HUB_PACKAGE_SECTION net)
# The pages are on by default and the library that serves them is loaded at start; the dictionaries have a package.
set(CPACK_DEBIAN_HUB_PACKAGE_DEPENDS "libmicrohttpd12 | libmicrohttpd12t64, emissary-data (= ${PROJECT_VERSION}), systemd | systemd-standalone-sysusers | passwd")
set(CPACK_DEBIAN_HUB_DESCRIPTION "Market-data distribution hub
 Distributes the data of providers and publishers to consumers, with a cache,
 fail-over, posting and pages of its state.")
set(CPACK_DEBIAN_HUB_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postinst ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/prerm
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_HUB_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
