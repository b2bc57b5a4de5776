set(EMA_RDM_SOURCES
  rdm/DataDictionary.cpp
  rdm/DictionaryAccess.cpp
  rdm/DictionaryEntry.cpp
  rdm/DictionaryFace.cpp
  rdm/EnumTypes.cpp
  rdm/dictionary_wire.cpp)
