// Vector (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"
#include "Access/Include/VectorEntry.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct VectorImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class SummaryData;

/// Entries by position.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API Vector : public ComplexType {
public:
    Vector();
    ~Vector() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool forth() const;
    void reset() const;
    bool hasTotalCountHint() const;
    bool getSortable() const;
    UInt32 getTotalCountHint() const;
    const SummaryData& getSummaryData() const;
    const VectorEntry& getEntry() const;
    Vector& clear();
    Vector& add(UInt32 position, VectorEntry::VectorAction action, const ComplexType& value,
                const EmaBuffer& permissionData = EmaBuffer());
    Vector& add(UInt32 position, VectorEntry::VectorAction action, const EmaBuffer& permissionData = EmaBuffer());
    const Vector& complete();
    Vector& sortable(bool sortable = false);
    Vector& totalCountHint(UInt32 totalCountHint);
    Vector& summaryData(const ComplexType& data);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::VectorImpl> impl_;
};

}  // namespace refinitiv::ema::access
