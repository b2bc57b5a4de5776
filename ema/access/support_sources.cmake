# Public classes that are neither data nor sessions.
set(EMA_SUPPORT_SOURCES
  access/ChannelInformation.cpp
  access/ChannelStatistics.cpp
  access/DateTimeStringFormat.cpp
  access/GetTime.cpp
  access/OmmConsumerConfig.cpp
  access/OmmIProviderConfig.cpp
  access/OmmNiProviderConfig.cpp
  access/OmmProviderConfig.cpp
  access/SessionInfo.cpp)
