# An overlay port, used from a checkout: vcpkg install emissary --overlay-ports=packaging/vcpkg
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DEMISSARY_BUILD_TESTS=OFF -DEMISSARY_BUILD_TOOLS=OFF -DBUILD_SHARED_LIBS=${shared} -DEMISSARY_SHARED=${shared})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME Emissary CONFIG_PATH lib/cmake/Emissary)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
