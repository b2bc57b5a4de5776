# EMISSARY_SANITIZE=address,undefined | thread : instruments everything that is built here.
set(EMISSARY_SANITIZE "" CACHE STRING "Sanitizers to build with, comma separated (address,undefined or thread)")
if(EMISSARY_SANITIZE)
  add_compile_options(-fsanitize=${EMISSARY_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${EMISSARY_SANITIZE})
endif()
