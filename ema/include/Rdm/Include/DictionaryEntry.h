// The definition of one field (ema-api.md 13.1).
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"
#include "Rdm/Include/EnumType.h"
#include "Rdm/Include/EnumTypeTable.h"

#include <memory>

namespace refinitiv::ema::rdm {

/// The definition of one field: names, id, types and lengths, and its enumerated values if it has any.
///
/// Default constructed it is empty (blank names, id 0); DataDictionary::getEntry() fills it. It keeps what it needs
/// alive, so it may outlive the dictionary.
class EMA_ACCESS_API DictionaryEntry {
public:
    DictionaryEntry();  ///< empty; DataDictionary::getEntry() fills it
    virtual ~DictionaryEntry();

    const access::EmaString& getAcronym() const;     ///< name of the field: BID
    const access::EmaString& getDDEAcronym() const;  ///< longer name
    access::Int16 getFid() const;                    ///< id of the field; never 0 once filled
    /// Id of the field that takes this field's old value; 0 = none.
    access::Int16 getRippleToField() const;
    /// One of MfFieldType::MfFieldTypeEnum.
    access::Int8 getFieldType() const;
    access::UInt16 getLength() const;     ///< characters of the older, text based format
    access::UInt8 getEnumLength() const;  ///< characters of the longest display text
    /// Wire type number: the values of DataType::DataTypeEnum.
    access::UInt8 getRwfType() const;
    /// Cache size hint, not a limit of the wire.
    access::UInt32 getRwfLength() const;

    bool hasEnumType(access::UInt16 value) const;  ///< whether the field's table has this value
    /// Throws OmmInvalidUsageException when the value is not in the field's table.
    const EnumType& getEnumType(access::UInt16 value) const;
    bool hasEnumTypeTable() const;  ///< whether the field is enumerated
    /// Throws OmmInvalidUsageException when the field has no table.
    const EnumTypeTable& getEnumTypeTable() const;

    /// `  Fid=22 'BID' 'BID' Type=4 RippleTo=23 Len=17 EnumLen=0 RwfType=8 RwfLen=7`
    const access::EmaString& toString() const;
    operator const char*() const;  ///< toString().c_str()

    /// True when both are of the same field of the same dictionary content.
    bool operator==(const DictionaryEntry& other) const;
    bool operator!=(const DictionaryEntry& other) const { return !(*this == other); }  ///< the opposite of ==

private:
    friend struct emissary::ema::DictionaryAccess;
    friend class access::EmaVector<DictionaryEntry>;
    DictionaryEntry(const DictionaryEntry&);
    DictionaryEntry& operator=(const DictionaryEntry&);
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
