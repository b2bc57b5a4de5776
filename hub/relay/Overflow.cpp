// The waiting records of a front, copied out of the log, and the bound on their bytes.
#include "hub/relay/Overflow.h"

#include <cstring>
#include <new>

namespace emissary::hub::relay {

using Kind = ToFront::Kind;

Overflow::~Overflow() {
    for (const Entry& entry : entries_)
        delete entry.record.extra;
}

bool Overflow::add(const ToFront& record) noexcept {
    const bool needed = outlives(record.kind) || record.kind == Kind::directory || record.kind == Kind::call;
    const bool again = record.length != 0 && record.bytes == last_ && !entries_.empty() && entries_.back().bytes;
    const std::size_t more = sizeof(Entry) + (again ? 0 : record.length);
    if (!needed && bytes_ + more > kMostBytes) return false;
    try {
        std::shared_ptr<std::byte[]> bytes;
        if (again) {
            bytes = entries_.back().bytes;
        } else if (record.length != 0) {
            bytes.reset(new std::byte[record.length]);
            std::memcpy(bytes.get(), record.bytes, record.length);
        }
        entries_.push_back({record, std::move(bytes)});
        if (record.kind == Kind::update || record.kind == Kind::everybody)
            entries_.back().record.flags = 0;  // its texts were not copied
    } catch (const std::bad_alloc&) { return false; }
    bytes_ += more;
    if (record.length != 0) last_ = record.bytes;
    return true;
}

void Overflow::pop() noexcept {
    const Entry& entry = entries_.front();
    std::size_t less = sizeof(Entry);
    if (entry.bytes.use_count() == 1) less += entry.record.length;
    bytes_ -= less;
    entries_.pop_front();
    if (entries_.empty()) last_ = nullptr;
}

void Overflow::drop(std::uint32_t client) noexcept {
    last_ = nullptr;
    std::erase_if(entries_, [client](const Entry& entry) {
        const ToFront& r = entry.record;
        if (!isForOneClient(r.kind) || r.client != client || outlives(r.kind)) return false;
        delete r.extra;
        return true;
    });
    bytes_ = entries_.size() * sizeof(Entry);
    const std::byte* counted = nullptr;
    for (const Entry& entry : entries_) {
        if (entry.bytes && entry.bytes.get() != counted) bytes_ += entry.record.length;
        if (entry.bytes) counted = entry.bytes.get();
    }
}

}  // namespace emissary::hub::relay
