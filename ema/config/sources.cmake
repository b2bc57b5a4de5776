set(EMA_CONFIG_SOURCES
  config/Configuration.cpp
  config/Logger.cpp
  config/ProgrammaticConfigReader.cpp
  config/Resolver.cpp
  config/XmlConfigReader.cpp
  config/parameters.cpp
  config/services.cpp)
