set(REACTOR_JSON_SOURCES
  json/JsonTranslator.cpp
  json/json_link.cpp
  json/json_roles.cpp)
