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

/// Entries by position, all with one type of payload.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API Vector : public ComplexType {
public:
    Vector();  ///< empty, ready to be built
    ~Vector() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    void reset() const;              ///< puts reading before the first entry
    bool hasTotalCountHint() const;  ///< whether the number of all entries, over all messages, is known
    bool getSortable() const;        ///< whether positions may be given to other entries by InsertEnum and DeleteEnum
    /// Expected number of entries over all messages; throws OmmInvalidUsageException/InvalidOperation when there is
    /// none.
    UInt32 getTotalCountHint() const;
    /// Data of the container as a whole; its type is NoDataEnum when there are none. Valid until clear().
    const SummaryData& getSummaryData() const;
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const VectorEntry& getEntry() const;
    Vector& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// Appends an entry: with a payload, or without one. ClearEnum and DeleteEnum never carry one, even if given. A
    /// position above 2^30-1 throws OmmOutOfRangeException; permission data have at most 32767 bytes, and empty ones
    /// mean none.
    Vector& add(UInt32 position, VectorEntry::VectorAction action, const ComplexType& value,
                const EmaBuffer& permissionData = EmaBuffer());
    Vector& add(UInt32 position, VectorEntry::VectorAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 65535 entries.
    const Vector& complete();
    /// Whether InsertEnum and DeleteEnum may be used; default false. Header member; before the first add, else
    /// OmmInvalidUsageException/InvalidOperation.
    Vector& sortable(bool sortable = false);
    /// Expected number of entries over all messages, up to 2^30-1. Header member; before the first add, else
    /// OmmInvalidUsageException/InvalidOperation.
    Vector& totalCountHint(UInt32 totalCountHint);
    /// Copies data of the vector as a whole; decides the payload type of the entries. Header member; before the first
    /// add, else OmmInvalidUsageException/InvalidOperation.
    Vector& summaryData(const ComplexType& data);

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::VectorImpl> impl_;
};

}  // namespace refinitiv::ema::access
