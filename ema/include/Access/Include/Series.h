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

/// Entries in order, without keys and actions, all with one type of payload: tables, time series.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API Series : public ComplexType {
public:
    Series();  ///< empty, ready to be built
    ~Series() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    Series& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// Expected number of entries over all messages, up to 2^30-1. Header member; before the first add, else
    /// OmmInvalidUsageException/InvalidOperation.
    Series& totalCountHint(UInt32 totalCountHint);
    /// Copies data of the series as a whole; decides the payload type of the entries. Header member; before the first
    /// add, else OmmInvalidUsageException/InvalidOperation.
    Series& summaryData(const ComplexType& data);
    Series& add(const ComplexType& value);  ///< appends an entry; a payload of another type than the first throws
    Series& add();                          ///< appends an entry without payload
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 65535 entries.
    const Series& complete();
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    void reset() const;  ///< puts reading before the first entry
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const SeriesEntry& getEntry() const;
    bool hasTotalCountHint() const;  ///< whether the number of all entries, over all messages, is known
    /// Expected number of entries over all messages; throws OmmInvalidUsageException/InvalidOperation when there is
    /// none.
    UInt32 getTotalCountHint() const;
    /// Data of the container as a whole; its type is NoDataEnum when there are none. Valid until clear().
    const SummaryData& getSummaryData() const;

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::SeriesImpl> impl_;
};

}  // namespace refinitiv::ema::access
