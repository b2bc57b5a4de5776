# Packages: `cpack --config build/release/CPackConfig.cmake` writes four .deb files and a .tar.gz (-G DEB or -G TGZ: only these).
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
set(CPACK_COMPONENTS_ALL runtime dev tools hub)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)  # one archive of everything

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libemissary)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "Market-data message API in the style of EMA: the shared library
 RSSL/RWF and rssl.json.v2 connections behind OmmConsumer and OmmProvider, and order books.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libcurl4, libmicrohttpd12")  # loaded when they are used
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libemissary-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libemissary (= ${PROJECT_VERSION}), libxml2-dev, libssl-dev, zlib1g-dev, liblz4-dev, libsimdjson-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "libboost1.81-dev")  # the headers of reactor alone want it
set(CPACK_DEBIAN_DEV_DESCRIPTION "Market-data message API in the style of EMA: headers, archives, documents, examples
 With a CMake package (find_package(Emissary)) and pkg-config files (emissary-ema, emissary-book).")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME emissary-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION net)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "python3, libemissary (= ${PROJECT_VERSION})")  # perfreport; the dictionaries
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "Performance tools for market-data connections
 EmaCppConsPerf, EmaCppIProvPerf, EmaCppNIProvPerf, TransportPerf, rwfcat, perfreport, bookbench and their data.")
set(CPACK_DEBIAN_HUB_PACKAGE_NAME emissary-hub)
set(CPACK_DEBIAN_HUB_PACKAGE_SECTION net)
# The pages are on by default and the library that serves them is loaded at start; the dictionaries are libemissary's.
set(CPACK_DEBIAN_HUB_PACKAGE_DEPENDS "libmicrohttpd12 | libmicrohttpd12t64, libemissary (= ${PROJECT_VERSION}), systemd | systemd-standalone-sysusers | passwd")
set(CPACK_DEBIAN_HUB_DESCRIPTION "Market-data distribution hub
 Distributes the data of providers and publishers to consumers, with a cache, fail-over, posting and pages of its state.")
set(CPACK_DEBIAN_HUB_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postinst ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/prerm
  ${CMAKE_CURRENT_SOURCE_DIR}/packaging/debian/postrm)
set(CPACK_DEBIAN_HUB_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
