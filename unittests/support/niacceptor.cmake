# The server that non-interactive providers publish to, for tests and as a program.
add_library(emissary_niacceptor STATIC ${CMAKE_CURRENT_LIST_DIR}/NiAcceptor.cpp)
target_include_directories(emissary_niacceptor PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(emissary_niacceptor PUBLIC emissary_reactor PRIVATE emissary_warnings)
add_executable(ni_acceptor ${CMAKE_CURRENT_LIST_DIR}/ni_acceptor.cpp)
target_link_libraries(ni_acceptor PRIVATE emissary_niacceptor emissary_warnings)
set_target_properties(ni_acceptor PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
