// All handles of one consumer, and the statuses that this side makes up for them.
#pragma once

#include "reactor/OwnCalls.h"
#include "reactor/handle_serial.h"
#include "reactor/memory.h"
#include "session/Request.h"

#include <deque>
#include <string>

namespace emissary::reactor::session {

/// Session lock held throughout.
class RequestTable {
public:
    /// Called at the end of requests that have further records elsewhere (Request::hasExtras), and for requests of the
    /// role itself.
    class Observer {
    public:
        virtual ~Observer() = default;
        virtual void onRelease(const Request& r) = 0;
        /// A status made here for one of the role's own requests (Request::internal): no application may see it.
        virtual void onInternalNotice(const eta::codec::Msg& msg, Handle handle) = 0;
    };

    RequestTable(Reactor& reactor, ClientSink& sink) : reactor_(reactor), calls_(reactor), sink_(sink) {}
    void observe(Observer* observer) noexcept { observer_ = observer; }
    RequestTable(const RequestTable&) = delete;
    RequestTable& operator=(const RequestTable&) = delete;

    [[nodiscard]] Request& add(Request::Kind kind, const Subscriber& subscriber) {
        Request& r = *pool_.take();
        ++live_;
        const std::uint32_t index = r.index;
        r = {};
        r.index = index;
        r.serial = nextHandleSerial();
        r.client = subscriber.client;
        r.closure = subscriber.closure;
        r.parent = subscriber.parent;
        r.kind = kind;
        return r;
    }
    void release(Request& r) {
        if (r.hasExtras && observer_ != nullptr) observer_->onRelease(r);
        r.kind = Request::Kind::free;
        r.stream = nullptr;
        pool_.give(&r);
        --live_;
        reactor_.noteFreed(0);
    }
    /// Null when the handle is not (or no longer) in use. O(1).
    [[nodiscard]] Request* find(Handle handle) noexcept {
        const auto low = static_cast<std::uint32_t>(handle);
        if (low == 0) return nullptr;
        Request* r = pool_.at(low - 1);
        return r != nullptr && r->kind != Request::Kind::free && r->handle() == handle ? r : nullptr;
    }
    void trim() noexcept {
        pool_.trim();
        trimDeque(notices_);
    }
    /// Handles there is memory for.
    [[nodiscard]] std::size_t capacity() const noexcept { return pool_.capacity(); }
    [[nodiscard]] std::int32_t nextAppStreamId() noexcept {
        if (nextAppStreamId_ == INT32_MAX) nextAppStreamId_ = 5;
        return nextAppStreamId_++;
    }
    /// For streams that a symbol list opened.
    [[nodiscard]] std::int32_t nextDataStreamId() noexcept {
        if (nextDataStreamId_ == INT32_MIN) nextDataStreamId_ = -1;
        return nextDataStreamId_--;
    }
    [[nodiscard]] static Recipient recipient(const Request& r) noexcept {
        if (r.isData) [[unlikely]]
            return {r.parent, r.client, r.closure, 0};
        return {r.handle(), r.client, r.closure, r.parent};
    }

    /// A status to be delivered from the dispatching thread, unless the handle is given up before.
    struct Notice {
        Handle handle = 0;
        eta::codec::State state;
        std::string text, name, serviceName;
        std::uint8_t domain = 6, nameType = 1;
        bool hasName = false, isPrivate = false, ends = false;
        std::int32_t serviceId = -1;
    };
    /// When full (kNoticesPerRequest for each handle wait) a notice is dropped and counted: the one before it on the
    /// same handle says as much, or the next one will. Notices that end a handle are always kept: each has one.
    void later(Notice notice) {
        if (!notice.ends && notices_.size() >= kNoticesPerRequest * live_ + kSpareNotices) return void(++dropped_);
        notices_.push_back(std::move(notice));
        if (notices_.size() == 1) calls_.post([this] { deliverNotices(); });
    }
    [[nodiscard]] std::uint64_t noticesDropped() const noexcept { return dropped_; }
    /// Statuses that were made here wait; they are delivered before the message that has arrived.
    [[nodiscard]] bool noticesWaiting() const noexcept { return !notices_.empty(); }
    void deliverNotices() {
        for (std::size_t left = notices_.size(); left != 0 && !notices_.empty(); --left) {
            const Notice n = std::move(notices_.front());
            notices_.pop_front();
            deliver(n);
        }
        if (!notices_.empty()) calls_.post([this] { deliverNotices(); });
    }

private:
    static constexpr std::size_t kNoticesPerRequest = 2, kSpareNotices = 1024;

    void deliver(const Notice& n) {
        Request* r = find(n.handle);
        if (r == nullptr) return;
        eta::codec::Msg msg;
        msg.cls = eta::codec::MsgClass::Status;
        msg.domain = n.domain;
        msg.streamId = r->appStreamId;
        msg.flags = eta::codec::StatusFlag::state | eta::codec::StatusFlag::msgKey;
        if (n.isPrivate) msg.flags |= eta::codec::StatusFlag::privateStream;
        msg.state = n.state;
        msg.state.text = eta::asBytes(n.text);
        msg.key.nameType = n.nameType;
        if (n.hasName) {
            msg.key.flags |= eta::codec::KeyFlag::name;
            msg.key.name = eta::asBytes(n.name);
            if (n.nameType != 1) msg.key.flags |= eta::codec::KeyFlag::nameType;
        }
        if (n.serviceId >= 0) {
            msg.key.flags |= eta::codec::KeyFlag::serviceId;
            msg.key.serviceId = static_cast<std::uint16_t>(n.serviceId);
        }
        const Recipient to = recipient(*r);
        const bool internal = r->internal;
        if (n.ends) release(*r);
        if (internal) {
            if (observer_ != nullptr) observer_->onInternalNotice(msg, to.handle);
            return;
        }
        sink_.onMessage(msg, to, n.serviceName.empty() ? std::string_view{} : std::string_view{n.serviceName});
    }

    Reactor& reactor_;
    OwnCalls calls_;
    ClientSink& sink_;
    Pool<Request> pool_;
    std::deque<Notice> notices_;
    std::size_t live_ = 0;       // handles in use
    std::uint64_t dropped_ = 0;  // notices
    Observer* observer_ = nullptr;
    std::int32_t nextAppStreamId_ = 5, nextDataStreamId_ = -1;
};

}  // namespace emissary::reactor::session
