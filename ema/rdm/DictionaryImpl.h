// ema/rdm: the implementation of the public dictionary classes.
#pragma once

#include "Rdm/Include/DataDictionary.h"
#include "Rdm/Include/EnumTypeTable.h"
#include "eta/dictionary/Dictionary.h"
#include "rdm/DictionaryAccess.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace emissary::ema {

namespace access = refinitiv::ema::access;

[[nodiscard]] const access::EmaString& emptyText();
[[nodiscard]] access::EmaString toEma(std::string_view text);
[[nodiscard]] inline std::string_view view(const access::EmaString& text) noexcept {
    return {text.c_str(), text.length()};
}

/// Public enumerated-type tables of one dictionary, made when somebody asks for them. Thread safe. What it returns
/// stays valid as long as it lives.
class EnumTables {
public:
    [[nodiscard]] const refinitiv::ema::rdm::EnumTypeTable& of(const eta::dictionary::EnumTable& table);

private:
    std::mutex mutex_;
    boost::unordered_flat_map<const eta::dictionary::EnumTable*, std::unique_ptr<refinitiv::ema::rdm::EnumTypeTable>>
        made_;  // guarded by mutex_
};

/// The public face of a dictionary as it stands: objects made on demand and kept, so that references to them last. A
/// change of the dictionary gives it a new face. Thread safe.
class DictionaryFace {
public:
    explicit DictionaryFace(SharedDictionary dictionary);

    [[nodiscard]] const refinitiv::ema::rdm::DictionaryEntry& entry(const eta::dictionary::FieldDefinition& field);
    void fill(refinitiv::ema::rdm::DictionaryEntry& entry, const eta::dictionary::FieldDefinition& field) const {
        DictionaryAccess::fill(entry, owner(), tables_, field);
    }
    [[nodiscard]] const access::EmaVector<refinitiv::ema::rdm::DictionaryEntry>& entries();
    [[nodiscard]] const access::EmaVector<refinitiv::ema::rdm::EnumTypeTable>& tables();
    [[nodiscard]] const refinitiv::ema::rdm::EnumTypeTable& table(const eta::dictionary::EnumTable& table) const {
        return tables_->of(table);
    }
    [[nodiscard]] const access::EmaString& text();

    const access::EmaString fieldVersion, fieldFilename, fieldDescription, fieldBuild, fieldDate;
    const access::EmaString enumRtVersion, enumDtVersion, enumFilename, enumDescription, enumDate;

private:
    /// Keeps the dictionary alive for entries that are handed out, where it is held by a shared_ptr at all.
    [[nodiscard]] SharedDictionary owner() const;

    const SharedDictionary dictionary_;  // may be a pointer without ownership: see DictionaryAccess::queryOnly
    const std::shared_ptr<EnumTables> tables_;
    std::mutex mutex_;  // guards what follows
    boost::unordered_flat_map<std::int16_t, std::unique_ptr<refinitiv::ema::rdm::DictionaryEntry>> entryById_;
    std::unique_ptr<access::EmaVector<refinitiv::ema::rdm::DictionaryEntry>> entries_;
    std::unique_ptr<access::EmaVector<refinitiv::ema::rdm::EnumTypeTable>> allTables_;
    std::unique_ptr<access::EmaString> text_;
};

}  // namespace emissary::ema

namespace refinitiv::ema::rdm {

struct EnumType::Impl {
    access::UInt16 value = 0;
    access::EmaString display, meaning, text;
};

struct EnumTypeTable::Impl {
    Impl(access::UInt32 valueCount, access::UInt32 fieldCount) : types(valueCount), fields(fieldCount) {}
    access::EmaVector<EnumType> types;
    access::EmaVector<access::Int16> fields;
    mutable std::once_flag textMade;
    mutable access::EmaString text;
};

struct DictionaryEntry::Impl {
    emissary::ema::SharedDictionary owner;  // keeps `field` alive
    std::shared_ptr<emissary::ema::EnumTables> tables;
    const emissary::eta::dictionary::FieldDefinition* field = nullptr;
    access::EmaString acronym, longName;
    mutable std::once_flag textMade;
    mutable access::EmaString text;
};

struct DataDictionary::Impl {
    Impl();
    Impl(emissary::ema::SharedDictionary existing, bool readOnly);

    [[nodiscard]] const emissary::eta::dictionary::Dictionary& get() const noexcept { return *current; }
    /// The face of the dictionary as it is now. Never null.
    [[nodiscard]] emissary::ema::DictionaryFace& face() const;
    /// The dictionary to change: it is copied first when others hold the current one. Throws on query-only objects.
    [[nodiscard]] emissary::eta::dictionary::Dictionary& change(const char* call);
    void refuseWhenQueryOnly(const char* call) const;

    emissary::ema::SharedDictionary current;
    const bool queryOnly;
    mutable std::mutex mutex;  // guards `shown`
    mutable std::unique_ptr<emissary::ema::DictionaryFace> shown;
};

}  // namespace refinitiv::ema::rdm
