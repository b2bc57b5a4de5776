// Counts the connections of a listener by address, and picks the one that has to leave when it is full.
#include "transport/channel/Admission.h"

#include <algorithm>

#include <sys/ioctl.h>
#include <sys/socket.h>

namespace emissary::eta::transport {

Admission::Key Admission::keyOf(Key address) noexcept {
    constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    // An IPv6 address counts by its first 64 bits: a single host may have the whole rest. IPv4 counts by all of it.
    if (!std::equal(mapped.begin(), mapped.end(), address.begin())) std::fill(address.begin() + 8, address.end(), 0);
    return address;
}

std::size_t Admission::count(const Group& group, Stage last) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i)
        n += group[i].size();
    return n;
}

/// Whether the group has room for one more, or somebody goes.
bool Admission::fits(Group& group, std::uint32_t initializing, std::uint32_t all, TimePoint now) noexcept {
    if (count(group, Stage::heard) >= initializing && !makeRoom(group, Stage::heard, now)) return false;
    return all == 0 || count(group, Stage::settled) < all || makeRoom(group, Stage::active, now);
}

Admission::Full Admission::admit(const std::shared_ptr<Admission>& self, Place& place, const Key& key, int fd,
                                 TimePoint now, OfAddress ofAddress) {
    Admission& a = *self;
    // Two lists of one node each, moved in by splice() later: under the lock nothing can throw.
    List inAll{&place}, inAddress{&place};  // their places in memory, before anything changes
    const std::lock_guard guard(a.mutex_);
    const auto address = a.addresses_.try_emplace(key).first;
    // eraseIfEmpty() must leave the newcomer's own address alone while others are ended to make room for it.
    a.coming_ = &address->first;
    const Limits& l = a.limits_;
    // Connections of the newcomer's own address go first: a client that connects often must not drive out others.
    // The address is asked before the listener as a whole, so one address that has used up its own share costs nobody
    // else a place.
    Full full = Full::nothing;
    if (ofAddress == OfAddress::limited &&
        !a.fits(address->second, l.initializingPerAddress, l.connectionsPerAddress, now))
        full = Full::address;
    else if (!a.fits(a.all_, l.initializing, l.connections, now)) full = Full::listener;
    a.coming_ = nullptr;
    if (full != Full::nothing) {
        a.eraseIfEmpty(address);
        return full;
    }
    Group& own = address->second;
    place.inAll_ = inAll.begin();
    place.inAddress_ = inAddress.begin();
    a.all_[0].splice(a.all_[0].end(), inAll);
    own[0].splice(own[0].end(), inAddress);
    place.admission_ = self;
    place.address_ = address;
    // The descriptor is shut down through this number, so it has to stay open while the place is counted.
    place.fd_ = fd;
    place.stage_ = Stage::silent;
    place.since_ = now;
    place.counted_ = true;
    return Full::nothing;
}

void Admission::shed(TimePoint now) noexcept {
    const std::lock_guard guard(mutex_);
    static_cast<void>(makeRoom(all_, Stage::active, now));
}

/// Ends one of the group, of a stage up to `last`. False when nobody can go.
bool Admission::makeRoom(Group& among, Stage last, TimePoint now) noexcept {
    // First those that have sent nothing, the oldest first and without grace: a client speaks first in every protocol
    // here, so silence is the mark of connections that are opened only to fill the listener. The system is asked
    // whether bytes wait, since the thread of a connection may not have come to read them.
    List& silent = among[static_cast<std::size_t>(Stage::silent)];
    for (std::size_t left = silent.size(); left != 0; --left) {
        Place& oldest = *silent.front();
        int waiting = 0;
        // Shared memory has no descriptor to ask, and a listener has connections of one kind only.
        if (oldest.fd_ < 0) return false;  // of one kind all
        if (::ioctl(oldest.fd_, FIONREAD, &waiting) != 0 || waiting <= 0) return evict(oldest), true;
        move(oldest, Stage::heard);  // its thread has not come to read yet
    }
    // The active ones come last: their peers have shown that they speak the protocol.
    for (std::size_t i = 1; i <= static_cast<std::size_t>(last); ++i) {
        if (among[i].empty()) continue;
        Place& oldest = *among[i].front();
        // grace: a connection that has just come gets a chance to finish its handshake.
        if (oldest.fd_ >= 0 && now - oldest.since_ >= limits_.grace) return evict(oldest), true;
    }
    return false;
}

/// The connection's thread finds its peer gone. Its descriptor is open as long as the place is counted.
void Admission::evict(Place& place) noexcept {
    // The release pairs with the acquire of evicted(), which the connection's thread calls when it finds the end.
    place.evicted_.store(true, std::memory_order_release);
    ::shutdown(place.fd_, SHUT_RDWR);
    leave(place);
    evictions_.fetch_add(1, std::memory_order_relaxed);
}

void Admission::move(Place& place, Stage stage) noexcept {
    const auto from = static_cast<std::size_t>(place.stage_), to = static_cast<std::size_t>(stage);
    all_[to].splice(all_[to].end(), all_[from], place.inAll_);
    Group& own = place.address_->second;
    own[to].splice(own[to].end(), own[from], place.inAddress_);
    place.stage_ = stage;
}

void Admission::leave(Place& place) noexcept {
    if (!place.counted_) return;
    const auto stage = static_cast<std::size_t>(place.stage_);
    all_[stage].erase(place.inAll_);
    place.address_->second[stage].erase(place.inAddress_);
    place.counted_ = false;
    eraseIfEmpty(place.address_);
}

void Admission::eraseIfEmpty(Addresses::iterator address) noexcept {
    // A newcomer that was refused leaves no empty group behind, else each address that was ever seen would stay.
    if (&address->first != coming_ && count(address->second, Stage::settled) == 0) addresses_.erase(address);
}

void Admission::Place::advance(Stage stage) noexcept {
    if (admission_ == nullptr) return;
    const std::lock_guard guard(admission_->mutex_);
    if (counted_ && stage > stage_) admission_->move(*this, stage);
}

bool Admission::Place::moveTo(const Key& key, TimePoint now) {
    if (admission_ == nullptr) return true;
    Admission& a = *admission_;
    const std::lock_guard guard(a.mutex_);
    if (!counted_) return true;  // evicted meanwhile
    if (address_->first == key) {
        const std::uint32_t most = a.limits_.connectionsPerAddress;
        return most == 0 || count(address_->second, Stage::settled) <= most;
    }
    const auto address = a.addresses_.try_emplace(key).first;
    a.coming_ = &address->first;
    const bool fits = a.fits(address->second, a.limits_.initializingPerAddress, a.limits_.connectionsPerAddress, now);
    a.coming_ = nullptr;
    if (!fits) {
        a.eraseIfEmpty(address);
        return false;
    }
    const auto stage = static_cast<std::size_t>(stage_);
    const auto before = address_;
    List& to = address->second[stage];
    to.splice(to.end(), before->second[stage], inAddress_);
    address_ = address;
    a.eraseIfEmpty(before);
    return true;
}

void Admission::Place::release() noexcept {
    if (admission_ == nullptr) return;
    // The lock ends before the last reference may go.
    {
        const std::lock_guard guard(admission_->mutex_);
        admission_->leave(*this);
    }
    admission_.reset();
}

}  // namespace emissary::eta::transport
