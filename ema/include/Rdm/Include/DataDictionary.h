// Field and enumerated-type dictionaries for applications (ema-api.md 13.1).
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
    DataDictionary();                             ///< empty, the application's own
    DataDictionary(const DataDictionary& other);  ///< deep copy; the copy is the application's own
    DataDictionary& operator=(const DataDictionary&) = delete;
    virtual ~DataDictionary();

    bool isFieldDictionaryLoaded() const;  ///< whether there are fields, from a file or received
    bool isEnumTypeDefLoaded() const;      ///< whether there are enumerated types, from a file or received
    access::Int32 getMinFid() const;       ///< smallest field id; 0 before fields are loaded
    access::Int32 getMaxFid() const;       ///< largest field id; 0 before fields are loaded
    /// All fields in ascending id order. Built on first use.
    const access::EmaVector<DictionaryEntry>& getEntries() const;
    /// All enumerated types, ordered by the smallest field id that uses them. Built on first use.
    const access::EmaVector<EnumTypeTable>& getEnumTables() const;

    // Tags of the files (or of the refreshes' summaries). Before the dictionary they belong to is loaded these are 0 or
    // empty.
    access::Int32 getDictionaryId() const;             ///< number that field lists name the dictionary by; 0 = none
    const access::EmaString& getFieldVersion() const;  ///< version of the field dictionary
    const access::EmaString& getEnumRecordTemplateVersion() const;   ///< version RT_Version of the enumerated types
    const access::EmaString& getEnumDisplayTemplateVersion() const;  ///< version DT_Version of the enumerated types
    const access::EmaString& getFieldFilename() const;               ///< filename tag, not the path
    const access::EmaString& getFieldDescription() const;            ///< desc tag
    const access::EmaString& getFieldBuild() const;                  ///< build tag
    const access::EmaString& getFieldDate() const;                   ///< date tag
    const access::EmaString& getEnumFilename() const;                ///< filename tag, not the path
    const access::EmaString& getEnumDescription() const;             ///< desc tag
    const access::EmaString& getEnumDate() const;                    ///< date tag

    /// Whether there is such a field, by id or by acronym (case sensitive).
    bool hasEntry(access::Int16 fieldId) const;
    bool hasEntry(const access::EmaString& fieldName) const;
    /// Fills in the field of this id or acronym; throws OmmInvalidUsageException/InvalidArgument when there is none.
    void getEntry(access::Int16 fieldId, DictionaryEntry& entry) const;
    void getEntry(const access::EmaString& fieldName, DictionaryEntry& entry) const;
    /// The same in an object that the dictionary owns, valid until its next load, decode or clear().
    const DictionaryEntry& getEntry(access::Int16 fieldId) const;
    const DictionaryEntry& getEntry(const access::EmaString& fieldName) const;

    /// Whether the field has a table and the table this value.
    bool hasEnumType(access::Int16 fieldId, access::UInt16 value) const;
    /// The value of the field's table, owned by the dictionary; throws OmmInvalidUsageException/InvalidArgument when
    /// field or value are unknown.
    const EnumType& getEnumType(access::Int16 fieldId, access::UInt16 value) const;

    void clear();  ///< forgets everything; handed out objects become invalid

    /// Reads RDMFieldDictionary text. What cannot be read throws OmmInvalidUsageException/Failure with file, line and
    /// word, and leaves the dictionary as it was.
    void loadFieldDictionary(const access::EmaString& filename);
    /// Reads enumtype.def text, likewise, before the field dictionary or after it. Blanks at the end of a meaning
    /// belong to it.
    void loadEnumTypeDictionary(const access::EmaString& filename);

    /// Encodes all fields into one Series (completed), at one of DICTIONARY_INFO to DICTIONARY_VERBOSE. Throws
    /// OmmInvalidUsageException when nothing is loaded or one Series cannot hold it.
    void encodeFieldDictionary(access::Series& series, access::UInt32 verbosity);
    /// The same for the enumerated types.
    void encodeEnumTypeDictionary(access::Series& series, access::UInt32 verbosity);
    /// Encodes one part of at most `fragmentationSize` bytes (but at least one row), from `currentFid` on: first
    /// getMinFid(). Advances it and returns true when that was the last part.
    bool encodeFieldDictionary(access::Series& series, access::Int32& currentFid, access::UInt32 verbosity,
                               access::UInt32 fragmentationSize);
    /// The same for the enumerated types, from table `enumTableCount` on: first 0; their number after the last part.
    bool encodeEnumTypeDictionary(access::Series& series, access::Int32& enumTableCount, access::UInt32 verbosity,
                                  access::UInt32 fragmentationSize);
    /// Adds one received part; call it for each. Malformed content throws OmmInvalidUsageException/Failure. `verbosity`
    /// is accepted: the parts say what they have.
    void decodeFieldDictionary(const access::Series& series, access::UInt32 verbosity);
    /// The same for the enumerated types.
    void decodeEnumTypeDictionary(const access::Series& series, access::UInt32 verbosity);
    /// DICTIONARY_FIELD_DEFINITIONS or DICTIONARY_ENUM_TABLES, from the summary of a first part; without one throws
    /// OmmInvalidUsageException.
    access::UInt32 extractDictionaryType(const access::Series& series);

    /// All of it as text: tags, one line for each field, one block for each table. Valid until the next call.
    const access::EmaString& toString() const;
    operator const char*() const;  ///< toString().c_str()

private:
    friend struct emissary::ema::DictionaryAccess;
    struct Impl;
    explicit DataDictionary(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
