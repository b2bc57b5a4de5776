# Warnings are errors for us, not for those who build our release.
add_library(emissary_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(emissary_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
endif()
