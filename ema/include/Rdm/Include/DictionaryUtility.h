// The dictionary behind received data (ema-api.md 13.1).
#pragma once

#include "Rdm/Include/DataDictionary.h"

namespace refinitiv::ema::access {
class FieldList;
}

namespace refinitiv::ema::rdm {

/// Gives access to the dictionary that a received FieldList is decoded with.
class EMA_ACCESS_API DictionaryUtility {
public:
    /// Query-only dictionary of the connection that `fieldList` came from. Valid as long as the received message.
    /// Throws OmmInvalidUsageException when the list has no dictionary.
    static const DataDictionary& dataDictionary(const access::FieldList& fieldList);

    DictionaryUtility() = delete;
    DictionaryUtility(const DictionaryUtility&) = delete;
    DictionaryUtility& operator=(const DictionaryUtility&) = delete;
    virtual ~DictionaryUtility() = default;
};

}  // namespace refinitiv::ema::rdm
