// What Map, Vector and Series share: header members before the first add, one type for all payloads, and the error
// entry at the end of broken data.
#include "data/EntryContainerImpl.h"

#include "data/contained_types.h"

namespace emissary::ema {

using T = codec::DataType;

// The header stands before the entries on the wire, and its size depends on these members.
void EntryContainerImpl::requireUntouched(const char* what) {
    if (!untouched()) refuse(std::string(what) + " must come before the first add");
}
void EntryContainerImpl::setTotalCountHint(std::uint32_t hint) {
    requireUntouched("totalCountHint()");
    hasHint_ = true;
    hint_ = hint;
}
void EntryContainerImpl::setSummary(const access::ComplexType& summary) {
    requireUntouched("summaryData()");
    requireContent(summary, "summaryData()");
    const DataAccess::Encoded e = DataAccess::encoded(summary);
    useType(e.type, "summaryData()");
    // A copy: the application may change the summary object before the first add.
    summaryBytes_.assign(e.bytes.begin(), e.bytes.end());
    hasSummary_ = true;
}
void EntryContainerImpl::requireType(T type, const char* what) const {
    // One type for all payloads: the container's header has it, entries have none.
    if (type != T::NoData && typeFixed_ && entryType_ != type)
        refuse(std::string(what) + ": attempt to add entry with a different type, " + codec::name(type) +
               " instead of " + codec::name(entryType_));
}
/// NoData fits every container and decides nothing.
void EntryContainerImpl::useType(T type, const char* what) {
    requireType(type, what);
    if (type == T::NoData) return;
    entryType_ = type;
    typeFixed_ = true;
}
codec::EntryContainerHeader EntryContainerImpl::header() const noexcept {
    codec::EntryContainerHeader h;
    h.entryType = entryType_;
    h.hasSummary = hasSummary_;
    h.summary = summaryBytes_;
    h.hasTotalCountHint = hasHint_;
    h.totalCountHint = hint_;
    return h;
}
void EntryContainerImpl::forget() noexcept {
    entryType_ = T::NoData;
    typeFixed_ = hasHint_ = hasSummary_ = false;
}
/// 65535 entries are what the 16 bits of the count hold.
void EntryContainerImpl::finishEncoder(eta::Error error) {
    checkWriter("complete()");
    if (!error.ok()) refuse("complete(): more than 65535 entries");
}
void EntryContainerImpl::startOnce() {
    if (started_) return;
    started_ = true;
    failed_ = !startDecoder(bytesToRead()).ok();
    // Sets of the container's header define the entries of its payloads.
    childScope_.sets = failed_ ? nullptr : decoder().sets();
}
bool EntryContainerImpl::endOrError(LoadImpl& load) {
    if (told_ || (!failed_ && decoder().error().ok())) return atEntry_ = false;
    told_ = true;
    load.setError(errorOf(decoder().error()), {}, childScope_);
    return atEntry_ = true;
}
bool EntryContainerImpl::hasTotalCountHint() {
    if (untouched() || isOpen()) return hasHint_;
    startOnce();
    return !failed_ && decoder().hasTotalCountHint();
}
std::uint32_t EntryContainerImpl::totalCountHint() {
    if (!hasTotalCountHint()) refuse("getTotalCountHint() without a hint; ask hasTotalCountHint() first");
    return isOpen() || untouched() ? hint_ : decoder().totalCountHint();
}
// Made once for each received container: the getters of the view are then as cheap as those of entries.
const access::SummaryData& EntryContainerImpl::summary() {
    if (summaryReady_) return summaryView_.value;
    startOnce();
    summaryScope_ = childScope_;
    const bool has = !failed_ && decoder().hasSummary();
    summaryLoad_.set(has ? decoder().entryType() : T::NoData, has ? decoder().summary() : Bytes{}, summaryScope_);
    summaryReady_ = true;
    return summaryView_.value;
}

}  // namespace emissary::ema
