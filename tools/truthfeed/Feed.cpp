#include "Feed.h"

#include <iostream>
#include <unordered_map>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

constexpr std::int64_t kServeAfterEndMs = 600'000;

struct Open {
    Open(unsigned i, std::uint64_t s) : item(i), sent(s) {}
    unsigned item;
    std::uint64_t sent;
};

/// What both kinds of feed do with the streams that are open: each gets the updates that have become due.
class Streams {
public:
    Streams(OmmProvider& provider, const Options& options) : provider_(provider), options_(options) {}

    /// The image goes to a new stream, or again to one that is open, as far as that has come: others hear its updates
    /// too.
    void open(UInt64 handle, unsigned item, RefreshMsg& refresh) {
        const Truth truth(item);
        const Open& stream = open_.try_emplace(handle, item, options_.schedule.at(wallClockMs(), item)).first->second;
        truth.image(stream.sent, refresh);
        refresh.domainType(truth.domain()).name(truth.name().c_str()).complete(true).clearCache(true);
        refresh.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "image");
        provider_.submit(refresh, handle);
    }
    void close(UInt64 handle) { open_.erase(handle); }
    void sendDue() {
        const std::int64_t now = wallClockMs();
        for (auto it = open_.begin(); it != open_.end();)
            it = sendDue(it->first, it->second, now) ? std::next(it) : open_.erase(it);
    }
    void clear() { open_.clear(); }

private:
    /// False when the stream is no more: its client is gone, and the close not dispatched yet.
    bool sendDue(UInt64 handle, Open& stream, std::int64_t now) {
        const Truth truth(stream.item);
        try {
            for (const std::uint64_t due = options_.schedule.at(now, stream.item); stream.sent < due;) {
                update_.clear().domainType(truth.domain());
                truth.update(++stream.sent, update_, options_.lieEvery != 0 && ++updates_ % options_.lieEvery == 0);
                provider_.submit(update_, handle);
            }
        } catch (const OmmInvalidUsageException&) { return false; }
        return true;
    }

    OmmProvider& provider_;
    const Options& options_;
    std::unordered_map<UInt64, Open> open_;
    UpdateMsg update_;
    std::uint64_t updates_ = 0;
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
        }
        return 0;
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
            event.getProvider().submit(answer, event.getHandle());
            return;
        }
        const unsigned item = request.hasName() && request.getName().length() == 10
                                  ? static_cast<unsigned>(std::atoi(request.getName().c_str() + 5))
                                  : options_.items;
        if (item >= options_.items || Truth(item).domain() != request.getDomainType()) {
            StatusMsg refusal;
            refusal.domainType(request.getDomainType());
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such item");
            event.getProvider().submit(refusal, event.getHandle());
            return;
        }
        RefreshMsg answer;
        answer.serviceId(request.getServiceId()).solicited(true);
        streams_.open(event.getHandle(), item, answer);
    }
    /// A request for a stream that is open wants the image again.
    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() != MMT_LOGIN && request.getInitialImage()) onReqMsg(request, event);
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { streams_.close(event.getHandle()); }

    const Options& options_;
    OmmProvider provider_;
    Streams streams_;
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
        streams_.clear();
        for (unsigned item = 0; item < options_.items; ++item) {
            RefreshMsg image;
            image.serviceName(options_.services.c_str());
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
