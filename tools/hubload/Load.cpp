// tools/hubload: connects clients at a bounded rate, opens their items, counts messages, and prints each second.
#include "Load.h"

#include "eta/codec/Msg.h"
#include "eta/core/Clock.h"
#include "eta/core/printable.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Login.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <mutex>

namespace emissary::hubload {

namespace codec = eta::codec;
using codec::Msg;
using codec::MsgClass;
using eta::Bytes;
using std::chrono::seconds;

namespace {

constexpr std::int32_t kFirstStream = 10;

reactor::ReactorOptions reactorOptions() {
    reactor::ReactorOptions o;
    o.name = "hubload";
    return o;
}

/// The names of the item list that the performance tools come with.
std::string itemName(unsigned number) {
    char name[16];
    std::snprintf(name, sizeof name, "EMI%06u.X", number);
    return name;
}

double since(eta::TimePoint t) {
    return std::chrono::duration<double>(eta::Clock::now() - t).count();
}

}  // namespace

/// One connection of a Load, which outlives it. On the thread of the Load only.
class Load::Client final : public reactor::LinkHandler {
public:
    Client(Load& load, unsigned number) : load_(load), number_(number) {}

    void connect() {
        eta::transport::ConnectOptions o;
        o.host = load_.options_.host;
        o.port = load_.options_.port;
        // All requests of a connection go out at once.
        o.guaranteedOutputBuffers = 10000;
        // 0 leaves the size to the system, which grows it with the traffic.
        o.sysRecvBufSize = 0;
        o.initializationTimeout = seconds(60);  // thousands at once take their turns
        link_ = load_.reactor_.connect(o, *this);
    }
    void onLinkUp(reactor::Link& link) override {
        ++load_.totals_.up;
        reactor::GrowingBuffer attributes;
        reactor::rdm::LoginAttributes a;
        a.applicationId = "256";
        a.position = "127.0.0.1/net";
        a.applicationName = "hubload";
        Msg m;
        const std::string user = "load" + std::to_string(number_);
        if (!reactor::rdm::encodeLogin(attributes.start(), a).ok()) return;
        reactor::rdm::makeLoginRequest(m, user, reactor::rdm::LoginNameType::userName, attributes.view());
        m.streamId = reactor::rdm::kLoginStreamId;
        (void)link.send(m);
    }
    void onLinkMessage(reactor::Link& link, Bytes bytes) override {
        Totals& t = load_.totals_;
        t.bytes += bytes.size();
        const auto head = codec::peekMsg(bytes);
        if (!head.ok()) return;
        // Peeked and not decoded: this tool must cost less than the hub it loads.
        const bool update = head.value().cls == MsgClass::Update;
        if (update && head.value().domain != codec::kDirectoryDomain) {
            ++t.updates;
            return;
        }
        if (update || head.value().cls == MsgClass::Refresh || head.value().cls == MsgClass::Status) other(link, bytes);
        else ++t.others;
    }
    void onLinkDown(reactor::Link&, const std::string& reason, bool) override {
        ++load_.totals_.lost;
        if (load_.totals_.lost <= 3) std::printf("connection %u ended: %s\n", number_, eta::printable(reason).c_str());
        if (loggedIn_) --load_.totals_.loggedIn;
        loggedIn_ = asked_ = false;
        // The images of the connection are wanted again after a recovery.
        load_.totals_.images -= static_cast<std::uint64_t>(std::ranges::count(have_, true));
        have_.assign(have_.size(), false);
        if (!load_.options_.recover) return;
        (void)load_.reactor_.startTimer(pause(), [this] { connect(); });
    }
    /// False when it cannot be stopped: nothing was connected.
    bool stopReading() {
        if (!link_ || link_->channel() == nullptr) return false;
        // Unwatched and not closed: a client that does not read any more is what the hub has to bear.
        load_.reactor_.unwatch(link_->channel()->fd());
        return true;
    }
    void drop() { link_.reset(); }
    /// One of the items without an image, with the last state it had; empty when there is none.
    [[nodiscard]] std::string missing() const {
        if (!loggedIn_) return "connection " + std::to_string(number_) + " is not logged in";
        const auto at = std::ranges::find(have_, false);
        if (at == have_.end()) return {};
        return itemName(first() + static_cast<unsigned>(at - have_.begin())) + " of connection " +
               std::to_string(number_);
    }

private:
    /// As clients do that must not all come back at the same moment: a random part of a time that doubles up to 5
    /// seconds.
    [[nodiscard]] std::chrono::milliseconds pause() {
        const unsigned longest = std::min(500u << std::min(tries_++, 4u), 5000u);
        return std::chrono::milliseconds(50 + load_.random_() % longest);
    }
    void other(reactor::Link& link, Bytes bytes) {
        Totals& t = load_.totals_;
        Msg m;
        if (!codec::decodeMsg(bytes, m).ok()) return;
        if (m.domain == codec::kLoginDomain) return login(link, m);
        if (m.domain == codec::kDirectoryDomain) return directory(link, m);
        ++(m.cls == MsgClass::Refresh ? t.refreshes : t.statuses);
        const auto at = static_cast<std::size_t>(m.streamId - kFirstStream);
        if (m.streamId < kFirstStream || at >= have_.size()) return;
        if (m.cls == MsgClass::Refresh) {
            // The last part with current data makes an image, and each item counts once.
            if (m.has(codec::RefreshFlag::complete) && m.state.data == codec::DataState::ok && !have_[at])
                have_[at] = true, ++t.images;
        } else if (m.has(codec::StatusFlag::state) && m.state.stream > codec::StreamState::nonStreaming) {
            if (t.closed++ < 3)
                std::printf("item %s of connection %u: %s\n", itemName(first() + static_cast<unsigned>(at)).c_str(),
                            number_, eta::printable(eta::asText(m.state.text)).c_str());
        }
    }
    /// Asks for the directory when the login is accepted, and prints why when it is not.
    void login(reactor::Link& link, const Msg& m) {
        if (m.cls != MsgClass::Refresh || m.state.stream != codec::StreamState::open) {
            std::printf("login of connection %u: %s\n", number_, eta::printable(eta::asText(m.state.text)).c_str());
            return;
        }
        if (loggedIn_) return;
        loggedIn_ = true;
        tries_ = 0;
        ++load_.totals_.loggedIn;
        Msg r;
        r.cls = MsgClass::Request;
        r.domain = codec::kDirectoryDomain;
        r.streamId = reactor::rdm::kDirectoryStreamId;
        r.flags = codec::RequestFlag::streaming;
        r.key.flags = codec::KeyFlag::filter;
        r.key.filter = reactor::rdm::DirectoryFilter::info | reactor::rdm::DirectoryFilter::state;
        (void)link.send(r);
    }
    void directory(reactor::Link& link, const Msg& m) {
        if (m.containerType != codec::DataType::Map) return;
        (void)directory_.apply(m.payload, m.cls == MsgClass::Refresh && m.has(codec::RefreshFlag::clearCache));
        const reactor::rdm::Service* const service = directory_.find(load_.options_.service);
        if (asked_ || service == nullptr || !service->state.up) return;
        asked_ = true;
        have_.assign(load_.options_.items, false);
        for (unsigned i = 0; i < load_.options_.items; ++i)
            request(link, service->id, i);
    }
    void request(reactor::Link& link, std::uint16_t service, unsigned i) {
        const std::string name = itemName(first() + i);
        Msg r;
        r.cls = MsgClass::Request;
        r.domain = codec::kMarketPriceDomain;
        r.streamId = kFirstStream + static_cast<std::int32_t>(i);
        if (!load_.options_.snapshot) r.flags = codec::RequestFlag::streaming;
        r.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        r.key.serviceId = service;
        r.key.name = eta::asBytes(name);
        // Out of buffers: what is queued goes out first.
        if (link.send(r).code == eta::Errc::noBuffers) {
            link.flush();
            if (!link.send(r).ok()) std::printf("connection %u: a request did not fit\n", number_);
        }
    }
    [[nodiscard]] unsigned first() const {
        // Distinct connections have items of their own, so the hub cannot share a stream between them.
        return load_.options_.firstItem + (load_.options_.distinct ? number_ * load_.options_.items : 0);
    }

    Load& load_;
    const unsigned number_;
    std::unique_ptr<reactor::Link> link_;
    reactor::rdm::Directory directory_;
    bool loggedIn_ = false, asked_ = false;
    unsigned tries_ = 0;  // since the last login
    std::vector<bool> have_;
};

Load::Load(Options options) : options_(std::move(options)), reactor_(reactorOptions()) {}

Load::~Load() {
    const std::lock_guard guard(reactor_.lock());
    for (const auto& c : clients_)
        c->drop();
    clients_.clear();
}

void Load::connectMore() {
    const auto due = options_.connectRate == 0
                         ? options_.connections
                         // The connection that is due at time 0 is the first one.
                         : std::min<double>(options_.connections, 1 + since(begun_) * options_.connectRate);
    while (clients_.size() < static_cast<std::size_t>(due)) {
        const std::lock_guard guard(reactor_.lock());
        clients_.push_back(std::make_unique<Client>(*this, static_cast<unsigned>(clients_.size())));
        clients_.back()->connect();
    }
}

void Load::turn() {
    connectMore();
    (void)reactor_.dispatch(std::chrono::milliseconds(10), 10'000);
}

void Load::printSecond(const Totals& before, double elapsed) const {
    const auto rate = [elapsed](std::uint64_t now, std::uint64_t then) {
        return static_cast<double>(now - then) / elapsed;
    };
    std::printf("connections %u, images %" PRIu64 ", deliveries %.0f/s, %.1f MB/s, statuses %" PRIu64 ", lost %" PRIu64
                "\n",
                totals_.loggedIn, totals_.images, rate(totals_.updates, before.updates),
                rate(totals_.bytes, before.bytes) / 1e6, totals_.statuses, totals_.lost);
    std::fflush(stdout);
}

void Load::printMissing() const {
    const auto with = std::ranges::find_if(clients_, [](const auto& c) { return !c->missing().empty(); });
    std::printf("waiting with %" PRIu64 " images for %s\n", totals_.images,
                with == clients_.end() ? "connections" : (*with)->missing().c_str());
    std::fflush(stdout);
}

int Load::run() {
    begun_ = eta::Clock::now();
    const std::uint64_t wanted = std::uint64_t{options_.connections} * options_.items;
    double connected = 0;
    std::uint64_t last = 0;
    eta::TimePoint moved = begun_;
    // Without items the logins are all there is to wait for.
    const auto done = [&] { return totals_.images >= wanted && totals_.loggedIn == options_.connections; };
    while (!done() && since(begun_) < options_.patience) {
        turn();
        // Nothing moved for five seconds: the tool says what it waits for.
        if (totals_.images != last || since(moved) >= 5) {
            if (totals_.images == last) printMissing();
            last = totals_.images;
            moved = eta::Clock::now();
        }
        if (connected == 0 && totals_.loggedIn == options_.connections) connected = since(begun_);
    }
    const double imageSeconds = since(begun_);
    const bool complete = done();
    std::printf("%s: %" PRIu64 " of %" PRIu64 " images in %.3f s, %u of %u logged in, all after %.3f s\n",
                complete ? "complete" : "NOT complete", totals_.images, wanted, imageSeconds, totals_.loggedIn,
                options_.connections, connected);
    std::fflush(stdout);
    for (unsigned i = 0; i < options_.silent && i < clients_.size(); ++i) {
        const std::lock_guard guard(reactor_.lock());
        (void)clients_[i]->stopReading();
    }
    const Totals atStart = totals_;
    const eta::TimePoint start = eta::Clock::now();
    // Rates of an incomplete run would be compared with those of complete ones.
    if (!options_.snapshot && complete)
        for (unsigned second = 1; second <= options_.seconds; ++second) {
            const Totals before = totals_;
            const eta::TimePoint from = eta::Clock::now();
            while (since(start) < second)
                turn();
            printSecond(before, since(from));
        }
    const double counted = std::max(since(start), 1e-9);
    std::printf("{\"connections\":%u,\"items\":%u,\"complete\":%s,\"loginSeconds\":%.3f,\"imageSeconds\":%.3f,"
                "\"seconds\":%.3f,\"updates\":%" PRIu64
                ",\"bytesPerUpdate\":%.1f,\"deliveriesPerSecond\":%.0f,\"megabytesPerSecond\":%.1f,"
                "\"closed\":%" PRIu64 ",\"lost\":%" PRIu64 "}\n",
                options_.connections, options_.items, complete ? "true" : "false", connected, imageSeconds, counted,
                totals_.updates - atStart.updates,
                static_cast<double>(totals_.bytes - atStart.bytes) /
                    static_cast<double>(std::max<std::uint64_t>(totals_.updates - atStart.updates, 1)),
                static_cast<double>(totals_.updates - atStart.updates) / counted,
                static_cast<double>(totals_.bytes - atStart.bytes) / counted / 1e6, totals_.closed, totals_.lost);
    return complete ? 0 : 1;
}

}  // namespace emissary::hubload
