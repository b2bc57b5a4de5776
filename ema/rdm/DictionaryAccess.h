// Access of the rest of ema to the implementation of the public dictionary classes; makes their objects.
#pragma once

#include "Rdm/Include/DataDictionary.h"
#include "eta/dictionary/Dictionary.h"

#include <memory>

namespace emissary::ema {

/// A loaded dictionary as connections and decoders share it: built once, read by many threads, freed by the last.
using SharedDictionary = std::shared_ptr<const eta::dictionary::Dictionary>;

class EnumTables;

struct DictionaryAccess {
    /// What the object holds now. Empty dictionaries when nothing was loaded; never null. Later changes to the object
    /// do not reach the returned pointer.
    [[nodiscard]] static SharedDictionary shared(const refinitiv::ema::rdm::DataDictionary& dictionary);
    /// The same without sharing; valid until the object is changed.
    [[nodiscard]] static const eta::dictionary::Dictionary& get(const refinitiv::ema::rdm::DataDictionary& dictionary);
    /// A public object over an existing dictionary that refuses to be changed.
    [[nodiscard]] static std::unique_ptr<refinitiv::ema::rdm::DataDictionary>
    makeQueryOnly(SharedDictionary dictionary);
    /// The query-only object for a dictionary that is held by a shared_ptr somewhere: made on first use, the same for
    /// everyone, valid as long as the dictionary. Takes a lock; not for per-message paths.
    [[nodiscard]] static const refinitiv::ema::rdm::DataDictionary&
    queryOnly(const eta::dictionary::Dictionary& dictionary);

    /// For the dictionary classes themselves.
    [[nodiscard]] static std::unique_ptr<refinitiv::ema::rdm::EnumTypeTable>
    makeTable(const eta::dictionary::EnumTable& table);
    static void fill(refinitiv::ema::rdm::DictionaryEntry& entry, SharedDictionary owner,
                     std::shared_ptr<EnumTables> tables, const eta::dictionary::FieldDefinition& field);
};

}  // namespace emissary::ema
