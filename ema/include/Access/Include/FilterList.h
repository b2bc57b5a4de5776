// FilterList (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/FilterEntry.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct FilterListImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

/// Entries by filter id, each with its own type.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API FilterList : public ComplexType {
public:
    FilterList();
    ~FilterList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasTotalCountHint() const;
    UInt32 getTotalCountHint() const;
    bool forth() const;
    bool forth(UInt8 filterId) const;
    const FilterEntry& getEntry() const;
    void reset() const;
    FilterList& clear();
    FilterList& totalCountHint(UInt32 totalCountHint);
    FilterList& add(UInt8 filterId, FilterEntry::FilterAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    FilterList& add(UInt8 filterId, FilterEntry::FilterAction action, const EmaBuffer& permissionData = EmaBuffer());
    const FilterList& complete();

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::FilterListImpl> impl_;
};

}  // namespace refinitiv::ema::access
