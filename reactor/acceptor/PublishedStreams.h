// The streams of one publisher, by id and by service.
#pragma once

#include "reactor/acceptor/AcceptorRole.h"
#include "reactor/memory.h"

#include <unordered_map>
#include <utility>

namespace emissary::reactor::acceptor {

/// Those of one service stand in a list, oldest first, so that a deleted service costs its own streams and no look at
/// the others. Not thread safe (session lock held).
class PublishedStreams {
public:
    static constexpr std::int32_t kNone = PublishedStream::kNone;

    /// Null when there is none; valid until a stream comes or goes.
    [[nodiscard]] PublishedStream* find(std::int32_t id) noexcept {
        const auto at = byId_.find(id);
        return at == byId_.end() ? nullptr : &at->second;
    }
    [[nodiscard]] const PublishedStream* find(std::int32_t id) const noexcept {
        const auto at = byId_.find(id);
        return at == byId_.end() ? nullptr : &at->second;
    }
    /// One that is not there yet; its id is not kNone. Throws std::bad_alloc, and nothing has changed then.
    PublishedStream& add(PublishedStream stream) {
        const std::int32_t id = stream.streamId;
        Ends& ends = ofService_.try_emplace(stream.serviceId).first->second;
        stream.before = ends.last;
        PublishedStream* const made = &byId_.emplace(id, std::move(stream)).first->second;
        if (PublishedStream* const last = find(ends.last)) last->after = id;
        else ends.first = id;
        ends.last = id;
        return *made;
    }
    /// Takes one out that is there.
    PublishedStream remove(std::int32_t id) noexcept {
        const auto at = byId_.find(id);
        PublishedStream gone = std::move(at->second);
        byId_.erase(at);
        PublishedStream* const before = find(gone.before);
        PublishedStream* const after = find(gone.after);
        if (before != nullptr) before->after = gone.after;
        if (after != nullptr) after->before = gone.before;
        if (before != nullptr && after != nullptr) return gone;
        const auto service = ofService_.find(gone.serviceId);
        if (before == nullptr) service->second.first = gone.after;
        if (after == nullptr) service->second.last = gone.before;
        if (service->second.first == kNone) ofService_.erase(service);
        return gone;
    }
    /// The oldest of a service; kNone when there is none.
    [[nodiscard]] std::int32_t firstOf(std::uint16_t service) const noexcept {
        const auto at = ofService_.find(service);
        return at == ofService_.end() ? kNone : at->second.first;
    }
    void clear() noexcept {
        byId_.clear();
        ofService_.clear();
    }
    /// Takes out as many of them, whichever.
    void drop(std::size_t most) noexcept {
        while (most-- != 0 && !ofService_.empty())
            static_cast<void>(remove(ofService_.begin()->second.first));
    }
    template <class F>
    void forEach(F&& f) const {
        for (const auto& [id, stream] : byId_)
            f(stream);
    }
    [[nodiscard]] std::size_t size() const noexcept { return byId_.size(); }
    [[nodiscard]] std::size_t places() const noexcept { return byId_.bucket_count(); }
    void trim() noexcept { trimTable(byId_); }

private:
    struct Ends {
        std::int32_t first = kNone, last = kNone;
    };
    ItemMap<std::int32_t, PublishedStream> byId_;
    std::unordered_map<std::uint16_t, Ends> ofService_;
};

}  // namespace emissary::reactor::acceptor
