// The connected clients of a provider, by handle.
#pragma once

#include "provider/Session.h"
#include "reactor/handle_serial.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace emissary::reactor {

/// Handles as in StreamTable: one that outlived its client finds nothing. Clients that ended are
/// kept until bury(), so that code on the stack may still look at them.
class ClientTable {
public:
    /// Everything that a new client needs memory for, besides itself. Throws std::bad_alloc and changes nothing then.
    void reserve() {
        // For the case that all who are there end before the next bury().
        if (const std::size_t all = dead_.size() + live_ + 1; dead_.capacity() < all)
            dead_.reserve(std::max(all, 2 * dead_.capacity()));
        if (!free_.empty()) return;
        free_.reserve(std::max(slots_.capacity(), slots_.size() + 1));
        slots_.emplace_back();
        free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    /// After reserve(). The client gets its handle.
    void add(std::unique_ptr<Session> session) noexcept {
        const std::uint32_t slot = free_.back();
        free_.pop_back();
        session->handle = static_cast<std::uint64_t>(kFirstSerial | (nextHandleSerial() & kSerialBits)) << 32 | slot;
        slots_[slot] = std::move(session);
        ++live_;
    }
    /// Takes a client out.
    void retire(Session& session) noexcept {
        const auto slot = static_cast<std::uint32_t>(session.handle);
        dead_.push_back(std::move(slots_[slot]));
        free_.push_back(slot);
        --live_;
    }
    void bury() noexcept { dead_.clear(); }

    /// Null for clients whose handshake is not done.
    [[nodiscard]] Session* find(std::uint64_t handle) noexcept {
        const auto slot = static_cast<std::uint32_t>(handle);
        Session* session = slot < slots_.size() ? slots_[slot].get() : nullptr;
        return session != nullptr && session->handle == handle && session->up ? session : nullptr;
    }
    /// One that has ended and was not buried yet.
    [[nodiscard]] const Session* findDead(std::uint64_t handle) const noexcept {
        for (const auto& session : dead_)
            if (session->handle == handle) return session.get();
        return nullptr;
    }
    [[nodiscard]] std::size_t live() const noexcept { return live_; }

    /// Calls `f` with every connection, in the order of slots. It may end clients.
    template <class F>
    void forEach(F&& f) const {
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (Session* session = slots_[i].get(); session != nullptr) f(*session);
    }
    /// With those whose handshake is done.
    template <class F>
    void forEachUp(F&& f) const {
        forEach([&](Session& session) {
            if (session.up) f(session);
        });
    }
    void clear() noexcept {
        for (auto& session : slots_)
            session.reset();
        dead_.clear();
    }

private:
    /// Upper half of the range: client handles never equal stream handles.
    static constexpr std::uint32_t kFirstSerial = 0x80000000, kSerialBits = 0x3FFFFFFF;
    static_assert((kFirstSerial | kSerialBits) == (kForeignHandles >> 32) - 1);
    std::vector<std::unique_ptr<Session>> slots_;
    std::vector<std::uint32_t> free_;
    std::vector<std::unique_ptr<Session>> dead_;
    std::size_t live_ = 0;
};

}  // namespace emissary::reactor
