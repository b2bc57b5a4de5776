// Series: building and reading (ema-api.md 3.4, rwf.md 3.6).
#include "Access/Include/Series.h"

#include "data/SeriesImpl.h"

#include "data/add_values.h"
#include "data/contained_types.h"
#include "rdm/DictionaryAccess.h"

namespace emissary::ema {

using T = codec::DataType;

void SeriesImpl::endChild(Bytes bytes) {
    writer().bytes(bytes);
    encoder_.endEntry();
}
void SeriesImpl::dropChild() noexcept {
    beforeChild_.restore(encoder_, writer());
}
/// All checks come first: a refused entry leaves no trace. An entry without an object leaves the type of the payloads
/// open.
void SeriesImpl::add(const access::ComplexType* value) {
    requireAddable("add()");
    Bytes bytes;
    bool ready = true;
    if (value != nullptr) {
        requireContent(*value, "add()");
        const T before = entryType(), type = DataAccess::wireType(*value);
        requireType(type, "add()");
        ready = readyBytes(*value, "add()", bytes);
        requireFits("add()", "a value", bytes);
        useType(type, "add()");
        if (!untouched() && before == T::NoData && type != T::NoData) retype();
    }
    beginAdd("add()");
    if (ready) {
        encoder_.add(bytes);
    } else {
        beforeChild_.keep(encoder_, writer());
        encoder_.beginEntry();
        DataAccess::impl(*value)->fillInPlaceOf(*this);
    }
}
/// Writes the entries so far again: they were begun without payload, and the first payload decides the type of all.
void SeriesImpl::retype() {
    if (!encoder_.complete().ok()) refuse("add(): more than 65535 entries");
    codec::SeriesDecoder old;
    const std::vector<std::byte> before(writer().view().begin(), writer().view().end());
    writer().truncate(0);
    begin();
    if (!old.start(before).ok()) return;
    codec::SeriesEntry e;
    while (old.next(e))
        encoder_.add({});
}
bool SeriesImpl::forth() {
    startOnce();
    if (failed_ || told_ || !decoder_.next(current_)) {
        current_ = {};
        return endOrError(load_);
    }
    load_.set(decoder_.entryType(), current_.data, childScope_);
    return atEntry_ = true;
}
const access::SeriesEntry& SeriesImpl::entry() {
    if (!atEntry_) refuse("getEntry() before a successful forth(); call forth() first");
    return entry_.value;
}

}  // namespace emissary::ema

namespace refinitiv::ema::access {

EMISSARY_CONTAINER_DATA(Series, SeriesEnum)

Series& Series::clear() {
    impl_->clear();
    return *this;
}
Series& Series::totalCountHint(UInt32 hint) {
    impl_->setTotalCountHint(hint);
    return *this;
}
Series& Series::summaryData(const ComplexType& data) {
    impl_->setSummary(data);
    return *this;
}
Series& Series::add(const ComplexType& value) {
    impl_->add(&value);
    return *this;
}
Series& Series::add() {
    impl_->add(nullptr);
    return *this;
}
const Series& Series::complete() {
    impl_->complete();
    return *this;
}
bool Series::forth() const {
    return impl_->forth();
}
void Series::reset() const {
    impl_->reset();
}
const SeriesEntry& Series::getEntry() const {
    return impl_->entry();
}
bool Series::hasTotalCountHint() const {
    return impl_->hasTotalCountHint();
}
UInt32 Series::getTotalCountHint() const {
    return impl_->totalCountHint();
}
const SummaryData& Series::getSummaryData() const {
    return impl_->summary();
}

}  // namespace refinitiv::ema::access
