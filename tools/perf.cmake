# Generators of the performance tools.
add_executable(itemlist-generator ${CMAKE_CURRENT_LIST_DIR}/itemlist_generator.cpp)
target_link_libraries(itemlist-generator PRIVATE emissary_warnings)
target_compile_definitions(itemlist-generator PRIVATE EMISSARY_VERSION="${PROJECT_VERSION}")
add_executable(generate_options_doc ${CMAKE_CURRENT_LIST_DIR}/generate_options_doc.cpp)
target_link_libraries(generate_options_doc PRIVATE emissary::perf_common emissary_warnings)
set_target_properties(itemlist-generator generate_options_doc PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tools)
