# A toolchain file: Debian's cross compiler for aarch64, and qemu-user to run what it makes.
#   dev/install_packages.sh aarch64 && dev/aarch64_sysroot.sh build/aarch64/sysroot
#   cmake -S . -B build/aarch64/tree -G Ninja --toolchain cmake/aarch64.cmake -DEMISSARY_SYSROOT=$PWD/build/aarch64/sysroot
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(EMISSARY_SYSROOT "" CACHE PATH "A folder with Debian's arm64 libraries (dev/aarch64_sysroot.sh); empty: those of this machine")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES EMISSARY_SYSROOT)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)  # Python, ccache: of this machine
if(EMISSARY_SYSROOT)
  set(CMAKE_SYSROOT ${EMISSARY_SYSROOT})
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
endif()
find_program(EMISSARY_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(EMISSARY_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${EMISSARY_QEMU})
  if(EMISSARY_SYSROOT)
    list(APPEND CMAKE_CROSSCOMPILING_EMULATOR -L ${EMISSARY_SYSROOT})
  endif()
endif()
