# The public surface member by member, what each wrong use throws, and the list in docs/compatibility.md.
emissary_test(test_ema_api
  SOURCES api_compatibility_tests.cpp api_consumer_misuse_tests.cpp api_login_tests.cpp api_misuse_tests.cpp
          api_provider_misuse_tests.cpp api_semantics_tests.cpp api_surface_containers_tests.cpp
          api_surface_domain_tests.cpp api_surface_entries_tests.cpp api_surface_foundation_tests.cpp
          api_surface_messages_tests.cpp api_surface_services_tests.cpp api_surface_session_tests.cpp
          api_values_tests.cpp login_text_tests.cpp
  LIBS emissary::ema emissary_codecmodel)
target_include_directories(test_ema_api PRIVATE ${PROJECT_SOURCE_DIR}/ema ${CMAKE_CURRENT_SOURCE_DIR})
