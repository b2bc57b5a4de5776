# The programs that are installed, with a page of the manual and a shell completion each, both made from what the program
# itself says of its options (dev/manpages.py), so they cannot differ from it.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(EMISSARY_TOOLS EmaCppConsPerf EmaCppIProvPerf EmaCppNIProvPerf TransportPerf rwfcat bookbench hubload webfeed wsload)
set(manual ${CMAKE_CURRENT_BINARY_DIR}/manual)

# A program of another architecture says what it has to say through the emulator, where there is one.
set(emulator)
if(CMAKE_CROSSCOMPILING AND CMAKE_CROSSCOMPILING_EMULATOR)
  set(emulator "--emulator=${CMAKE_CROSSCOMPILING_EMULATOR}")
endif()

function(emissary_program name component)
  set(file ${CMAKE_BINARY_DIR}/bin/${name})
  get_target_property(type ${name} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set(file $<TARGET_FILE:${name}>)
  endif()
  add_custom_command(OUTPUT ${manual}/${name}.1.gz ${manual}/completions/${name}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/dev/manpages.py --version ${PROJECT_VERSION} --out ${manual}
      ${emulator} ${file}
    DEPENDS ${name} ${CMAKE_CURRENT_SOURCE_DIR}/dev/manpages.py VERBATIM)
  set_property(GLOBAL APPEND PROPERTY EMISSARY_MANUAL ${manual}/${name}.1.gz)
  # OPTIONAL: where only libraries were built.
  install(FILES ${manual}/${name}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component} OPTIONAL)
  install(FILES ${manual}/completions/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT ${component} OPTIONAL)
endfunction()

foreach(tool IN LISTS EMISSARY_TOOLS ITEMS itemlist-generator)
  emissary_program(${tool} tools)
  install(TARGETS ${tool} RUNTIME COMPONENT tools OPTIONAL)
endforeach()
emissary_program(perfreport tools)
install(PROGRAMS ${CMAKE_BINARY_DIR}/bin/perfreport DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools OPTIONAL)
install(FILES ${CMAKE_BINARY_DIR}/bin/350k.xml DESTINATION ${EMISSARY_DATA_DIR} COMPONENT tools OPTIONAL)
emissary_program(emissary-hub hub)
# The parameters of HubConfig.xml, from the reference that a test compares with the table.
add_custom_command(OUTPUT ${manual}/emissary-hub.conf.5.gz
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/dev/manpages.py --version ${PROJECT_VERSION} --out ${manual}
    --parameters emissary-hub.conf=${CMAKE_CURRENT_SOURCE_DIR}/docs/hub-config.md
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/docs/hub-config.md ${CMAKE_CURRENT_SOURCE_DIR}/dev/manpages.py VERBATIM)
set_property(GLOBAL APPEND PROPERTY EMISSARY_MANUAL ${manual}/emissary-hub.conf.5.gz)
install(FILES ${manual}/emissary-hub.conf.5.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT hub OPTIONAL)
install(TARGETS emissary-hub RUNTIME COMPONENT hub OPTIONAL)

get_property(pages GLOBAL PROPERTY EMISSARY_MANUAL)
add_custom_target(manual ALL DEPENDS ${pages})
