// A non-interactive provider role and a server in one thread; the role's clock moves only when told to.
#pragma once

#include "eta/codec/encoders.h"
#include "reactor/JsonLayer.h"
#include "reactor/consumer/fixture.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "support/NiAcceptor.h"

namespace emissary::test {

using reactor::niprovider::NiProviderOptions;
using reactor::niprovider::NiProviderRole;
using reactor::niprovider::PublishFault;
using reactor::niprovider::PublishResult;

class Publisher final : public StillLoop, public reactor::niprovider::NiProviderHandler {
public:
    std::unique_ptr<NiProviderRole> role;
    NiProviderOptions options;
    std::vector<std::string> registered;  ///< "login STAT Open/Suspect/0 channel down"
    std::vector<std::string> onItems;     ///< "7 POST", of published streams
    std::vector<std::string> warnings, connection;
    std::map<std::uint64_t, std::string> names;   ///< of registered handles
    std::function<void(const codec::Msg&)> hook;  ///< runs inside onMessage

    /// `peer` moves the other end on.
    explicit Publisher(std::uint16_t port, std::function<void()> peer) : peer_(std::move(peer)) {
        options.channels.resize(1);
        options.channels[0].name = "Channel_1";
        options.channels[0].connect = Consumer::connectOptions(port);
        options.login.userName = "user";
        reactor::rdm::LoginAttributes a;
        a.applicationId = "256";
        a.position = "127.0.0.1/net";
        a.role = 1;
        reactor::GrowingBuffer b;
        REQUIRE(reactor::rdm::encodeLogin(b.start(), a).ok());
        options.login.attributes.assign(b.view().begin(), b.view().end());
        options.services.push_back(RawProvider::service(1, "NI_PUB"));
        options.reconnect.jitterSeed = 1;
    }
    ~Publisher() override {
        if (!loop) return;
        const std::lock_guard guard(loop->lock());
        if (role) role->shutdown();
        role.reset();
    }

    void start() {
        reactor::ReactorOptions o;
        o.jsonLayer = reactor::jsonLayer();
        openLoop(std::move(o));
        locked([this] {
            role = std::make_unique<NiProviderRole>(*loop, options, *this);
            role->start();
        });
    }
    void ready() {
        if (!role) start();
        until([&] { return role->phase() == NiProviderRole::Phase::ready; });
    }
    // --- publishing
    static codec::Msg message(codec::MsgClass cls, std::string_view name, int service = 1) {
        codec::Msg m;
        m.cls = cls;
        if (cls == codec::MsgClass::Refresh) {
            static constexpr std::byte kGroup[2] = {};
            m.flags = codec::RefreshFlag::complete;
            m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
            m.groupId = kGroup;
        }
        if (!name.empty()) {
            m.flags |= cls == codec::MsgClass::Generic ? codec::GenericFlag::msgKey : codec::RefreshFlag::msgKey;
            m.key.flags = codec::KeyFlag::name;
            m.key.name = eta::asBytes(name);
            if (service >= 0) {
                m.key.flags |= codec::KeyFlag::serviceId;
                m.key.serviceId = static_cast<std::uint16_t>(service);
            }
        }
        return m;
    }
    static codec::Msg refresh(std::string_view name, int service = 1) {
        return message(codec::MsgClass::Refresh, name, service);
    }
    static codec::Msg update() { return message(codec::MsgClass::Update, {}); }
    static codec::Msg status(std::uint8_t streamState) {
        codec::Msg m = message(codec::MsgClass::Status, {});
        m.flags |= codec::StatusFlag::state;
        m.state = {streamState, codec::DataState::suspect, 0, {}};
        return m;
    }
    PublishFault submit(std::uint64_t handle, codec::Msg m) {
        const std::lock_guard guard(loop->lock());
        return role->submit(handle, m).fault;
    }
    /// A directory message of one service.
    PublishFault directory(std::uint64_t handle, codec::MsgClass cls, const reactor::rdm::Service& service,
                           bool clear = false) {
        reactor::GrowingBuffer map;
        REQUIRE(reactor::rdm::Directory::encodeService(map.start(), service, 0x3F).ok());
        codec::Msg m = message(cls, {});
        m.domain = 4;
        if (clear) m.flags |= codec::RefreshFlag::clearCache;
        m.containerType = codec::DataType::Map;
        m.payload = map.view();
        return submit(handle, m);
    }
    reactor::consumer::Handle open(const std::string& label, codec::Msg m, Refusal& refusal,
                                   std::string_view service = {}) {
        const std::lock_guard guard(loop->lock());
        const auto h = role->registerClient({m, service}, {this, nullptr, 0}, refusal);
        if (h != 0) names[h] = label;
        return h;
    }
    reactor::consumer::Handle openLogin() {
        Refusal refusal;
        return open("login", Consumer::request("user", 1), refusal);
    }
    [[nodiscard]] std::size_t count(const std::string& wanted) const {
        return static_cast<std::size_t>(std::count(registered.begin(), registered.end(), wanted));
    }

    // --- NiProviderHandler
    void onMessage(const codec::Msg& msg, const Recipient& to, std::string_view) override {
        registered.push_back(names[to.handle] + " " + text(msg));
        if (hook) hook(msg);
    }
    void onItemMessage(std::uint64_t handle, const codec::Msg& msg) override {
        onItems.push_back(std::to_string(handle) + " " + text(msg));
    }
    void onConnection(reactor::consumer::ConnectionEvent, const std::string& t) override { connection.push_back(t); }
    void onWarning(const std::string& t) override { warnings.push_back(t); }

protected:
    void pollPeers() override { peer_(); }
    [[nodiscard]] std::vector<std::string> history() const override {
        std::vector<std::string> lines;
        for (const auto* list : {&registered, &onItems, &warnings, &connection})
            lines.insert(lines.end(), list->begin(), list->end());
        return lines;
    }

private:
    static std::string text(const codec::Msg& msg) {
        std::string s = lineOf(msg);
        if (msg.cls == codec::MsgClass::Status && msg.hasState() && !msg.state.text.empty())
            s += " " + std::string(eta::asText(msg.state.text));
        return s;
    }

    std::function<void()> peer_;
};

/// With the recording acceptor as the other end.
struct Session {
    NiAcceptor acceptor{NiAcceptor::Run::manual};
    Publisher publisher{acceptor.port(), [this] { acceptor.turn(std::chrono::microseconds(0)); }};

    void expectLine(const std::string& start) {
        INFO(start);
        publisher.until([&] {
            for (const std::string& l : acceptor.lines())
                if (l.starts_with(start)) return true;
            return false;
        });
    }
    /// Everything that was published has arrived: a marker item came through. Takes the lines. Their streams are
    /// numbered as they appear, since each marker has an id too.
    std::vector<std::string> settle() {
        const std::string marker = "MARKER" + std::to_string(++markers_);
        const auto handle = 0xFFFF'0000u + markers_;
        REQUIRE(publisher.submit(handle, Publisher::refresh(marker)) == PublishFault::none);
        REQUIRE(publisher.submit(handle, Publisher::status(codec::StreamState::closed)) == PublishFault::none);
        publisher.until([&] {
            for (const std::string& l : acceptor.lines())
                if (l.starts_with("STAT") && l.find(marker) != std::string::npos) return true;
            return false;
        });
        std::vector<std::string> all = acceptor.lines();
        acceptor.forgetLines();
        std::erase_if(all, [](const std::string& l) { return l.find("MARKER") != std::string::npos; });
        for (std::string& line : all)
            line = shown(line);
        return all;
    }

private:
    std::string shown(const std::string& line) {
        const std::size_t at = line.find(" -");
        const std::size_t end = at == std::string::npos ? at : line.find(' ', at + 1);
        if (end == std::string::npos) return line;
        const std::string id = line.substr(at + 1, end - at - 1);
        const auto number = numbers_.emplace(id, numbers_.size() + 1).first->second;
        return line.substr(0, at) + " -" + std::to_string(number) + line.substr(end);
    }
    std::map<std::string, std::size_t> numbers_;  // of wire ids
    std::uint32_t markers_ = 0;
};

}  // namespace emissary::test
