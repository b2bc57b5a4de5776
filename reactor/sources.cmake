# Each duty lists its own sources.
include(${CMAKE_CURRENT_LIST_DIR}/loop_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/consumer_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/provider_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/niprovider_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/json_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/routing_sources.cmake)
set(REACTOR_SOURCES ${REACTOR_LOOP_SOURCES} ${REACTOR_CONSUMER_SOURCES} ${REACTOR_PROVIDER_SOURCES}
    ${REACTOR_NIPROVIDER_SOURCES} ${REACTOR_JSON_SOURCES} ${REACTOR_ROUTING_SOURCES})
