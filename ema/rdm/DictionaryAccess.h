// How the rest of ema reaches what is behind the public dictionary classes, and makes them.
#pragma once

#include "Rdm/Include/DataDictionary.h"
#include "eta/dictionary/Dictionary.h"

#include <memory>

namespace emissary::ema {

/// A loaded dictionary as connections and decoders share it: built once, read by many threads, freed by the last.
using SharedDictionary = std::shared_ptr<const eta::dictionary::Dictionary>;

struct DictionaryAccess {
    /// What the object holds now. Empty dictionaries when nothing was loaded; never null. Later changes to the object
    /// do not reach the returned pointer.
    [[nodiscard]] static SharedDictionary shared(const refinitiv::ema::rdm::DataDictionary& dictionary);
    /// The same without sharing; valid until the object is changed.
    [[nodiscard]] static const eta::dictionary::Dictionary& get(const refinitiv::ema::rdm::DataDictionary& dictionary);
    /// A public object over an existing dictionary that refuses to be changed.
    [[nodiscard]] static std::unique_ptr<refinitiv::ema::rdm::DataDictionary>
    makeQueryOnly(SharedDictionary dictionary);

private:
    friend class refinitiv::ema::rdm::DataDictionary;
    friend class refinitiv::ema::rdm::DictionaryEntry;
    using Entry = refinitiv::ema::rdm::DictionaryEntry;
    using Enum = refinitiv::ema::rdm::EnumType;
    using Table = refinitiv::ema::rdm::EnumTypeTable;
    static Table makeTable(const SharedDictionary& owner, const eta::dictionary::EnumTable& table);
    static void fill(Entry& entry, const SharedDictionary& owner, const eta::dictionary::FieldDefinition& field);
};

}  // namespace emissary::ema
