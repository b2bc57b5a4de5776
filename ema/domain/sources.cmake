set(EMA_DOMAIN_SOURCES
  domain/Login.cpp
  domain/LoginImpl.cpp)
