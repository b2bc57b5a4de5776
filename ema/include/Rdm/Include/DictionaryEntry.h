// The definition of one field.
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
    DictionaryEntry();
    virtual ~DictionaryEntry();

    const access::EmaString& getAcronym() const;
    const access::EmaString& getDDEAcronym() const;
    access::Int16 getFid() const;
    /// Id of the field that takes this field's old value; 0 = none.
    access::Int16 getRippleToField() const;
    /// One of MfFieldType::MfFieldTypeEnum.
    access::Int8 getFieldType() const;
    access::UInt16 getLength() const;
    access::UInt8 getEnumLength() const;
    /// Wire type number: the values of DataType::DataTypeEnum.
    access::UInt8 getRwfType() const;
    /// Cache size hint, not a limit of the wire.
    access::UInt32 getRwfLength() const;

    bool hasEnumType(access::UInt16 value) const;
    /// Throws OmmInvalidUsageException when the value is not in the field's table.
    const EnumType& getEnumType(access::UInt16 value) const;
    bool hasEnumTypeTable() const;
    /// Throws OmmInvalidUsageException when the field has no table.
    const EnumTypeTable& getEnumTypeTable() const;

    /// `  Fid=22 'BID' 'BID' Type=4 RippleTo=23 Len=17 EnumLen=0 RwfType=8 RwfLen=7`
    const access::EmaString& toString() const;
    operator const char*() const;

    bool operator==(const DictionaryEntry& other) const;
    bool operator!=(const DictionaryEntry& other) const { return !(*this == other); }

private:
    friend struct emissary::ema::DictionaryAccess;
    friend class access::EmaVector<DictionaryEntry>;
    DictionaryEntry(const DictionaryEntry&);
    DictionaryEntry& operator=(const DictionaryEntry&);
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
