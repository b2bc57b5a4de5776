// One value of an enumerated type (ema-api.md 13.1).
#pragma once

#include "Access/Include/Common.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/EmaVector.h"

#include <memory>

namespace emissary::ema {
struct DictionaryAccess;
}

namespace refinitiv::ema::rdm {

/// One value of an enumerated type with its display text. Owned by an EnumTypeTable.
///
/// Objects are small handles to immutable data: copies share it, and it stays valid while any copy lives.
class EMA_ACCESS_API EnumType {
public:
    virtual ~EnumType();

    access::UInt16 getValue() const;  ///< the number in the data
    /// Display bytes as the dictionary has them (ASCII, UTF-8 or RMTES).
    const access::EmaString& getDisplay() const;
    /// Explanation from the enumeration file; empty when the tables came over the wire.
    const access::EmaString& getMeaning() const;
    /// `  Value=1 Display='ASE' Meaning='...'`
    const access::EmaString& toString() const;
    operator const char*() const;  ///< toString().c_str()

    bool operator==(const EnumType& other) const;  ///< true when value, display and meaning are equal
    bool operator!=(const EnumType& other) const { return !(*this == other); }  ///< the opposite of ==

private:
    friend struct emissary::ema::DictionaryAccess;
    friend class access::EmaVector<EnumType>;
    EnumType();
    EnumType(const EnumType&);
    EnumType& operator=(const EnumType&);
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace refinitiv::ema::rdm
