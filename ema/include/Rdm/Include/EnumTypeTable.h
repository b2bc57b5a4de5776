// The values of an enumerated type and the fields that use it (ema-api.md 13.1).
#pragma once

#include "Access/Include/EmaVector.h"
#include "Rdm/Include/EnumType.h"

namespace refinitiv::ema::rdm {

/// The values of an enumerated type and the ids of the fields that use it.
///
/// Objects are small handles to immutable data: copies share it, and it stays valid while any copy lives.
class EMA_ACCESS_API EnumTypeTable {
public:
    virtual ~EnumTypeTable();

    /// Values in the order of the enumeration file.
    const access::EmaVector<EnumType>& getEnumTypes() const;
    const access::EmaVector<access::Int16>& getFidReferences() const;  ///< ids of the fields that use the table
    const access::EmaString& toString() const;  ///< one line for each field and value; valid as long as the object
    operator const char*() const;               ///< toString().c_str()

    bool operator==(const EnumTypeTable& other) const;  ///< true when values and fields are equal
    bool operator!=(const EnumTypeTable& other) const { return !(*this == other); }  ///< the opposite of ==

private:
    friend struct emissary::ema::DictionaryAccess;
    friend class access::EmaVector<EnumTypeTable>;
    EnumTypeTable();
    EnumTypeTable(const EnumTypeTable&);
    EnumTypeTable& operator=(const EnumTypeTable&);
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
