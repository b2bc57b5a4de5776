# Read by cpack: what the shared library needs, as dpkg-shlibdeps says it of the library in the folder of the build.
if(CPACK_GENERATOR STREQUAL "DEB" AND CPACK_EMISSARY_LIBRARY)
  find_program(DPKG_SHLIBDEPS dpkg-shlibdeps REQUIRED)
  set(folder ${CPACK_PACKAGE_DIRECTORY}/_CPack_Packages/shlibdeps)
  file(WRITE ${folder}/debian/control "Source: emissary\n\nPackage: libemissary\nArchitecture: any\n")
  execute_process(COMMAND ${DPKG_SHLIBDEPS} -O --warnings=0 ${CPACK_EMISSARY_LIBRARY} WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE needs ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^shlibs:Depends=" "" needs "${needs}")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "${needs}, emissary-data (>= ${CPACK_EMISSARY_VERSION})")
endif()
