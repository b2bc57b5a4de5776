// Runs the provider or publisher: opens items, and sends each next value at its time.
#include "Feed.h"

#include <deque>
#include <iostream>
#include <optional>
#include <unordered_map>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

// Ten minutes of service after the last value: the readers compare their copies while nothing changes.
constexpr std::int64_t kServeAfterEndMs = 600'000;

struct Open {
    Open(unsigned i, std::uint64_t s) : item(i), sent(s) {}
    unsigned item;
    std::uint64_t sent;
    bool paused = false;
};

/// What both kinds of feed do with the streams that are open: each gets the updates that have become due.
class Streams {
public:
    Streams(OmmProvider& provider, const Options& options) : provider_(provider), options_(options) {}

    /// The image goes to a new stream, or again to one that is open, at the step that it has reached: other clients get
    /// its updates too.
    void open(UInt64 handle, unsigned item, RefreshMsg& refresh) {
        const Truth truth(item);
        const Open& stream = open_.try_emplace(handle, item, options_.schedule.at(wallClockMs(), item)).first->second;
        truth.image(stream.sent, refresh, posted_[item]);
        refresh.domainType(truth.domain()).name(truth.name().c_str()).complete(true).clearCache(true);
        refresh.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "image");
        try {
            provider_.submit(refresh, handle);
            // The client may have left since its request: the close is not dispatched yet.
        } catch (const OmmInvalidUsageException&) { close(handle); }  // as in sendDue()
    }
    void close(UInt64 handle) { open_.erase(handle); }
    /// The item of a stream; none: it is not open.
    [[nodiscard]] std::optional<unsigned> itemOf(UInt64 handle) const {
        const auto at = open_.find(handle);
        return at != open_.end() ? std::optional(at->second.item) : std::nullopt;
    }
    /// Everybody who has the item gets the value that was posted, and has it in images from now on.
    void posted(unsigned item, const PostMsg& post) {
        const std::int64_t value = Truth::postedIn(post);
        if (value == 0) return;
        posted_[item] = value;
        for (const auto& [handle, stream] : open_) {
            if (stream.item != item || stream.paused) continue;
            const Truth truth(item);
            update_.clear().domainType(truth.domain());
            update_.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress());
            truth.posted(value, update_);
            try {
                provider_.submit(update_, handle);
            } catch (const OmmInvalidUsageException&) {}  // the client is gone, and sendDue() sees it
        }
    }
    /// What is due while a stream is paused is never sent.
    void pause(UInt64 handle, bool paused) {
        const auto at = open_.find(handle);
        if (at == open_.end() || at->second.paused == paused) return;
        at->second.paused = paused;
        // What was missed in the pause is left out, as a source does that honours it. The image after it brings the
        // state.
        at->second.sent = options_.schedule.at(wallClockMs(), at->second.item);
    }
    void sendDue() {
        const std::int64_t now = wallClockMs();
        for (auto it = open_.begin(); it != open_.end();)
            it = sendDue(it->first, it->second, now) ? std::next(it) : open_.erase(it);
    }
    void clear() { open_.clear(); }

private:
    void image(UInt64 handle, unsigned item, std::uint64_t sequence) {
        const Truth truth(item);
        RefreshMsg refresh;
        truth.image(sequence, refresh, posted_[item]);
        refresh.domainType(truth.domain()).complete(true).clearCache(true);
        refresh.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "image");
        provider_.submit(refresh, handle);
    }
    /// False when the stream is no more: its client is gone, and the close not dispatched yet.
    bool sendDue(UInt64 handle, Open& stream, std::int64_t now) {
        if (stream.paused) return true;
        const Truth truth(stream.item);
        try {
            for (const std::uint64_t due = options_.schedule.at(now, stream.item); stream.sent < due;) {
                // An image in the place of an update: a reader must take it without a gap.
                if (options_.imageEvery != 0 && ++updates_ % options_.imageEvery == 0) {
                    image(handle, stream.item, ++stream.sent);
                    continue;
                }
                update_.clear().domainType(truth.domain());
                // A wrong check sum on purpose proves that readers find one.
                truth.update(++stream.sent, update_, options_.lieEvery != 0 && ++chances_ % options_.lieEvery == 0);
                provider_.submit(update_, handle);
            }
        } catch (const OmmInvalidUsageException&) { return false; }
        return true;
    }

    OmmProvider& provider_;
    const Options& options_;
    std::unordered_map<UInt64, Open> open_;
    std::unordered_map<unsigned, std::int64_t> posted_;  // by item; 0: nothing was
    UpdateMsg update_;
    std::uint64_t updates_ = 0, chances_ = 0;
};

/// Answers to posts, a little late: whoever is killed leaves posts behind that it has got. One in eight is refused,
/// another one is never answered; these two change nothing.
class Answers {
public:
    explicit Answers(OmmProvider& provider) : provider_(provider) {}
    [[nodiscard]] static bool accepts(const PostMsg& post) {
        return post.getPostId() % 8 != 5 && post.getPostId() % 8 != 3;
    }
    void take(const PostMsg& post, UInt64 handle) {
        if (!post.getSolicitAck() || post.getPostId() % 8 == 5) return;
        waiting_.push_back({wallClockMs() + kDelayMs, handle, post.getDomainType(), post.getPostId(),
                            post.hasSeqNum() ? post.getSeqNum() : 0, post.hasSeqNum()});
    }
    void sendDue() {
        // All delays are equal, so the oldest is in front.
        for (const std::int64_t now = wallClockMs(); !waiting_.empty() && waiting_.front().dueMs <= now;
             waiting_.pop_front())
            send(waiting_.front());
    }

private:
    static constexpr std::int64_t kDelayMs = 100;
    struct Waiting {
        std::int64_t dueMs;
        UInt64 handle;
        UInt16 domain;
        UInt32 id, sequence;
        bool hasSequence;
    };
    void send(const Waiting& post) {
        AckMsg ack;
        ack.domainType(post.domain).ackId(post.id);
        if (post.hasSequence) ack.seqNum(post.sequence);
        if (post.id % 8 == 3) ack.nackCode(AckMsg::DeniedBySourceEnum).text("not this one");
        try {
            provider_.submit(ack, post.handle);
        } catch (const OmmInvalidUsageException&) {}  // the client is gone
    }

    OmmProvider& provider_;
    std::deque<Waiting> waiting_;
};

class Provider final : public OmmProviderClient {
public:
    explicit Provider(const Options& options)
        : options_(options), provider_(OmmIProviderConfig()
                                           .providerName(options.name.c_str())
                                           .operationModel(OmmIProviderConfig::UserDispatchEnum),
                                       *this),
          streams_(provider_, options) {}

    int run() {
        while (wallClockMs() < options_.schedule.endMs + kServeAfterEndMs) {
            provider_.dispatch(5'000);
            streams_.sendDue();
            answers_.sendDue();
        }
        return 0;
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
            answer.attrib(ElementList().addUInt(ENAME_SUPPORT_POST, 1).addUInt(ENAME_SUPPORT_OPR, 1).complete());
            send(answer, event);
            return;
        }
        const unsigned item = request.hasName() ? itemNamed(request.getName()) : options_.items;
        if (item >= options_.items || Truth(item).domain() != request.getDomainType()) {
            StatusMsg refusal;
            refusal.domainType(request.getDomainType());
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such item");
            send(refusal, event);
            return;
        }
        RefreshMsg answer;
        answer.serviceId(request.getServiceId()).solicited(true);
        streams_.open(event.getHandle(), item, answer);
        streams_.pause(event.getHandle(), request.getPause());
    }
    /// "TRUTH" and five digits: other names are unknown items.
    [[nodiscard]] unsigned itemNamed(const EmaString& name) const {
        return name.length() == 10 ? static_cast<unsigned>(std::atoi(name.c_str() + 5)) : options_.items;
    }
    template <class Message>
    static void send(const Message& answer, const OmmProviderEvent& event) {
        try {
            event.getProvider().submit(answer, event.getHandle());
        } catch (const OmmInvalidUsageException&) {}  // the client is gone
    }
    /// A request for a stream that is open wants the image again, or the stream paused or resumed, or has another
    /// priority.
    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) return;
        streams_.pause(event.getHandle(), request.getPause());
        if (request.getInitialImage()) onReqMsg(request, event);
    }
    void onPostMsg(const PostMsg& post, const OmmProviderEvent& event) override {
        answers_.take(post, event.getHandle());
        if (options_.showPosts == 0 || !Answers::accepts(post)) return;
        std::optional<unsigned> item = streams_.itemOf(event.getHandle());
        if (!item && post.hasName()) item = itemNamed(post.getName());
        if (item && *item < options_.items) streams_.posted(*item, post);
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { streams_.close(event.getHandle()); }

    const Options& options_;
    OmmProvider provider_;
    Streams streams_;
    Answers answers_{provider_};
};

class Publisher final : public OmmProviderClient {
public:
    explicit Publisher(const Options& options)
        : options_(options), provider_(OmmNiProviderConfig()
                                           .providerName(options.name.c_str())
                                           .username(options.name.c_str())
                                           .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                                       *this),
          streams_(provider_, options) {}

    int run() {
        while (wallClockMs() < options_.schedule.endMs + kServeAfterEndMs) {
            provider_.dispatch(5'000);
            if (std::exchange(loggedIn_, false)) publishAll();
            streams_.sendDue();
        }
        return 0;
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() == MMT_LOGIN && msg.getState().getStreamState() == OmmState::OpenEnum &&
            msg.getState().getDataState() == OmmState::OkEnum)
            loggedIn_ = true;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        // Images are sent anew after the next login; until then there is nobody to have updates.
        if (msg.getDomainType() == MMT_LOGIN && msg.hasState() && msg.getState().getDataState() != OmmState::OkEnum)
            streams_.clear();
    }
    void publishAll() {
        // After a new login every item is published again: the hub's end of the connection is new.
        streams_.clear();
        for (unsigned item = 0; item < options_.items; ++item) {
            RefreshMsg image;
            image.serviceName(options_.services.c_str());
            // Handles are numbers that the publisher chooses; 0 is none.
            streams_.open(item + 1, item, image);
        }
        std::cout << "published " << options_.items << " items" << std::endl;
    }

    const Options& options_;
    bool loggedIn_ = false;
    OmmProvider provider_;
    Streams streams_;
};

}  // namespace

int runProvider(const Options& options) {
    return Provider(options).run();
}

int runPublisher(const Options& options) {
    return Publisher(options).run();
}

}  // namespace emissary::truthfeed
