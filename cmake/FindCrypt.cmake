# libxcrypt, hashes of passwords, as the distribution installs it: Crypt::crypt.
find_path(Crypt_INCLUDE_DIR crypt.h)
find_library(Crypt_LIBRARY crypt)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Crypt REQUIRED_VARS Crypt_LIBRARY Crypt_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libcrypt-dev (dev/install_packages.sh does)")
if(Crypt_FOUND AND NOT TARGET Crypt::crypt)
  add_library(Crypt::crypt UNKNOWN IMPORTED)
  set_target_properties(Crypt::crypt PROPERTIES IMPORTED_LOCATION "${Crypt_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Crypt_INCLUDE_DIR}")
endif()
mark_as_advanced(Crypt_INCLUDE_DIR Crypt_LIBRARY)
