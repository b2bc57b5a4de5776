set(ETA_DICTIONARY_SOURCES
  dictionary/Dictionary.cpp
  dictionary/enum_file.cpp
  dictionary/field_file.cpp
  dictionary/lines.cpp
  dictionary/sets.cpp
  dictionary/wire_decoder.cpp
  dictionary/wire_encoder.cpp)
