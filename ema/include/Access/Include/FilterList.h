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

/// Entries by filter id, each with its own type of payload; ids may repeat.
/// Either built or read. Built: header members, then entries in the order of the wire, then complete(); setters copy.
/// An add throws OmmInvalidUsageException/InvalidOperation after complete(), on a received container, for a value above
/// 65535 bytes and while an entry added untouched is not complete; what is refused leaves no trace. Read: views that
/// the library hands out are valid until their owner moves on; forth() on a container that was built completes it. Not
/// thread safe.
class EMA_ACCESS_API FilterList : public ComplexType {
public:
    FilterList();  ///< empty, ready to be built
    ~FilterList() override;
    DataType::DataTypeEnum getDataType() const override;
    Data::DataCode getCode() const override;
    const EmaBuffer& getAsHex() const override;
    const EmaString& toString() const override;
    /// The text with field names and enumerations from this dictionary; `toString()` without one uses the connection's.
    /// Valid until the next call.
    const EmaString& toString(const refinitiv::ema::rdm::DataDictionary& dictionary) const;
    bool hasTotalCountHint() const;  ///< whether the number of all entries, over all messages, is known
    /// Expected number of entries over all messages; throws OmmInvalidUsageException/InvalidOperation when there is
    /// none.
    UInt32 getTotalCountHint() const;
    /// Moves to the next entry; false at the end. Data that cannot be decoded appear once, as an entry of type Error,
    /// before the end.
    bool forth() const;
    /// Moves to the next entry of this id, from the current position on; false at the end.
    bool forth(UInt8 filterId) const;
    /// The current entry, valid until the next forth(), reset() or clear(). Throws
    /// OmmInvalidUsageException/InvalidOperation unless the last forth() returned true.
    const FilterEntry& getEntry() const;
    void reset() const;   ///< puts reading before the first entry
    FilterList& clear();  ///< empty again, with nothing received and no header members; the memory is kept
    /// Expected number of entries over all messages; above 255 throws OmmOutOfRangeException. Header member; before the
    /// first add, else OmmInvalidUsageException/InvalidOperation.
    FilterList& totalCountHint(UInt32 totalCountHint);
    /// Appends an entry: with a payload, or without one. ClearEnum never carries one, even if given. Permission data
    /// have at most 32767 bytes; empty ones mean none.
    FilterList& add(UInt8 filterId, FilterEntry::FilterAction action, const ComplexType& value,
                    const EmaBuffer& permissionData = EmaBuffer());
    FilterList& add(UInt8 filterId, FilterEntry::FilterAction action, const EmaBuffer& permissionData = EmaBuffer());
    /// Ends building: patches the counts and hands the bytes to the container that this one was added to. A second call
    /// does nothing. Throws OmmInvalidUsageException/InvalidOperation while an entry added untouched is not complete,
    /// and above 255 entries.
    const FilterList& complete();

private:
    friend struct emissary::ema::DataAccess;
    std::unique_ptr<emissary::ema::FilterListImpl> impl_;
};

}  // namespace refinitiv::ema::access
