# GNU libmicrohttpd as the distribution installs it (it brings no CMake package of its own). It is loaded when it is used
# (reactor/http/Microhttpd.h), so there is nothing to link: Microhttpd::Headers, and its name for the loader in
# Microhttpd_SONAME.
find_path(Microhttpd_INCLUDE_DIR microhttpd.h)
find_library(Microhttpd_LIBRARY microhttpd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Microhttpd REQUIRED_VARS Microhttpd_LIBRARY Microhttpd_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libmicrohttpd-dev (dev/install_packages.sh does)")
if(Microhttpd_FOUND)
  file(REAL_PATH "${Microhttpd_LIBRARY}" Microhttpd_SONAME)
  get_filename_component(Microhttpd_SONAME "${Microhttpd_SONAME}" NAME)
  string(REGEX REPLACE "(\\.so\\.[0-9]+).*" "\\1" Microhttpd_SONAME "${Microhttpd_SONAME}")  # libmicrohttpd.so.12
  if(NOT TARGET Microhttpd::Headers)
    add_library(Microhttpd::Headers INTERFACE IMPORTED)
    set_target_properties(Microhttpd::Headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Microhttpd_INCLUDE_DIR}")
  endif()
endif()
mark_as_advanced(Microhttpd_INCLUDE_DIR Microhttpd_LIBRARY)
