// Series (ema-api.md section 3).
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaBuffer.h"

#include <memory>

namespace emissary::ema {
struct DataAccess;
struct SeriesImpl;
}  // namespace emissary::ema
namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace refinitiv::ema::access {

class SeriesEntry;
class SummaryData;

/// Entries in order, without keys.
/// Either being built (after any add) or a view handed out by the library. Adding after complete() throws
/// OmmInvalidUsageException/InvalidOperation. clear() starts anew and keeps the memory. Not thread safe.
class EMA_ACCESS_API Series : public ComplexType {
public:
    Series();
    ~Series() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// Text with field names and enumerations from the given dictionary.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    Series& clear();
    Series& totalCountHint(UInt32 totalCountHint);
    Series& summaryData(const ComplexType& data);
    Series& add(const ComplexType& value);
    Series& add();
    const Series& complete();
    bool forth() const;
    void reset() const;
    const SeriesEntry& getEntry() const;
    bool hasTotalCountHint() const;
    UInt32 getTotalCountHint() const;
    const SummaryData& getSummaryData() const;

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::SeriesImpl> impl_;
};

}  // namespace refinitiv::ema::access
