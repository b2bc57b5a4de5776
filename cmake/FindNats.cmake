# libnats, the C client of NATS, as the distribution installs it. It is loaded when it is used (hub/nats/NatsLibrary.h), so there is
# nothing to link: Nats::Headers, and its name for the loader in Nats_SONAME.
find_path(Nats_INCLUDE_DIR nats/nats.h)
find_library(Nats_LIBRARY nats)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nats REQUIRED_VARS Nats_LIBRARY Nats_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libnats-dev (dev/install_packages.sh tests does)")
if(Nats_FOUND)
  file(REAL_PATH "${Nats_LIBRARY}" Nats_SONAME)
  get_filename_component(Nats_SONAME "${Nats_SONAME}" NAME)
  string(REGEX REPLACE "(\\.so\\.[0-9]+\\.[0-9]+).*" "\\1" Nats_SONAME "${Nats_SONAME}")  # libnats.so.3.4
  if(NOT TARGET Nats::Headers)
    add_library(Nats::Headers INTERFACE IMPORTED)
    set_target_properties(Nats::Headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Nats_INCLUDE_DIR}")
  endif()
endif()
mark_as_advanced(Nats_INCLUDE_DIR Nats_LIBRARY)
