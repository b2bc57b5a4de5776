// Field and enumerated-type dictionaries for applications.
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"
#include "Rdm/Include/DictionaryEntry.h"
#include "Rdm/Include/EnumType.h"
#include "Rdm/Include/EnumTypeTable.h"

#include <memory>

namespace refinitiv::ema::access {
class Series;
}

namespace refinitiv::ema::rdm {

/// Field and enumerated-type dictionaries: loaded from files or from received refreshes, looked up by id or name, and
/// encoded for others.
///
/// An object is either the application's own (default or copy constructed) or query only (handed out by
/// DictionaryUtility); on the latter everything that changes it throws OmmInvalidUsageException/InvalidOperation.
/// Several threads may query one dictionary; loading, decoding and clear() need it for themselves.
class EMA_ACCESS_API DataDictionary {
public:
    DataDictionary();
    DataDictionary(const DataDictionary& other);  ///< deep copy; the copy is the application's own
    DataDictionary& operator=(const DataDictionary&) = delete;
    virtual ~DataDictionary();

    /// Whether there are field definitions, and enumerated types, from a file or received.
    bool isFieldDictionaryLoaded() const;
    bool isEnumTypeDefLoaded() const;
    /// Smallest and largest field id; 0 before a field dictionary is loaded.
    access::Int32 getMinFid() const;
    access::Int32 getMaxFid() const;
    /// All fields in ascending id order. Built on first use.
    const access::EmaVector<DictionaryEntry>& getEntries() const;
    /// All enumerated types, ordered by the smallest field id that uses them. Built on first use.
    const access::EmaVector<EnumTypeTable>& getEnumTables() const;

    // Tags of the files (or of the refreshes' summaries). Before the dictionary they belong to is loaded these throw
    // OmmInvalidUsageException/InvalidOperation.
    access::Int32 getDictionaryId() const;
    const access::EmaString& getFieldVersion() const;
    const access::EmaString& getEnumRecordTemplateVersion() const;
    const access::EmaString& getEnumDisplayTemplateVersion() const;
    const access::EmaString& getFieldFilename() const;
    const access::EmaString& getFieldDescription() const;
    const access::EmaString& getFieldBuild() const;
    const access::EmaString& getFieldDate() const;
    const access::EmaString& getEnumFilename() const;
    const access::EmaString& getEnumDescription() const;
    const access::EmaString& getEnumDate() const;

    bool hasEntry(access::Int16 fieldId) const;
    bool hasEntry(const access::EmaString& fieldName) const;
    /// Throw OmmInvalidUsageException/InvalidArgument when there is no such field.
    void getEntry(access::Int16 fieldId, DictionaryEntry& entry) const;
    void getEntry(const access::EmaString& fieldName, DictionaryEntry& entry) const;
    /// The same, into an object owned by the dictionary. Valid until this object's next load, decode or clear().
    const DictionaryEntry& getEntry(access::Int16 fieldId) const;
    const DictionaryEntry& getEntry(const access::EmaString& fieldName) const;

    bool hasEnumType(access::Int16 fieldId, access::UInt16 value) const;
    /// Throws OmmInvalidUsageException/InvalidArgument when the field or the value is unknown.
    const EnumType& getEnumType(access::Int16 fieldId, access::UInt16 value) const;

    /// Forgets everything.
    void clear();

    /// Load the files. On failure throw OmmInvalidUsageException/Failure, whose text names file, line and word, and
    /// leave the dictionary as it was. The field dictionary must be loaded first.
    void loadFieldDictionary(const access::EmaString& filename);
    void loadEnumTypeDictionary(const access::EmaString& filename);

    /// Encode the whole dictionary into one Series. `verbosity` is one of DICTIONARY_INFO ... DICTIONARY_VERBOSE.
    void encodeFieldDictionary(access::Series& series, access::UInt32 verbosity);
    void encodeEnumTypeDictionary(access::Series& series, access::UInt32 verbosity);
    /// Encode one part of at most `fragmentationSize` bytes (but at least one row), starting at `currentFid` (first
    /// getMinFid()) or table number `enumTableCount` (first 0); advance it and return true when that was the last part.
    bool encodeFieldDictionary(access::Series& series, access::Int32& currentFid, access::UInt32 verbosity,
                               access::UInt32 fragmentationSize);
    bool encodeEnumTypeDictionary(access::Series& series, access::Int32& enumTableCount, access::UInt32 verbosity,
                                  access::UInt32 fragmentationSize);
    /// Absorb one received part; call for every part. Malformed content throws OmmInvalidUsageException/Failure.
    void decodeFieldDictionary(const access::Series& series, access::UInt32 verbosity);
    void decodeEnumTypeDictionary(const access::Series& series, access::UInt32 verbosity);
    /// DICTIONARY_FIELD_DEFINITIONS or DICTIONARY_ENUM_TABLES, from the summary of a first part; without one throws
    /// OmmInvalidUsageException.
    access::UInt32 extractDictionaryType(const access::Series& series);

    /// Everything as text: tags, one line a field, one block an enumerated type.
    const access::EmaString& toString() const;
    operator const char*() const;

private:
    friend struct emissary::ema::DictionaryAccess;
    struct Impl;
    explicit DataDictionary(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
