# `cmake --install` puts libraries, headers and a CMake package where find_package(Emissary) finds them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(EMISSARY_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Emissary)
configure_package_config_file(cmake/EmissaryConfig.cmake.in ${CMAKE_BINARY_DIR}/EmissaryConfig.cmake
  INSTALL_DESTINATION ${EMISSARY_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/EmissaryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/EmissaryConfig.cmake ${CMAKE_BINARY_DIR}/EmissaryConfigVersion.cmake
  cmake/FindLz4.cmake
  DESTINATION ${EMISSARY_PACKAGE_DIR})
install(EXPORT emissaryTargets FILE EmissaryTargets.cmake NAMESPACE emissary:: DESTINATION ${EMISSARY_PACKAGE_DIR})
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
