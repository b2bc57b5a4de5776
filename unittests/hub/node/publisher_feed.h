// Publishers whose logins are checked, over RIPC and JSON, and the hub that checks them.
#pragma once

#include "audited.h"
#include "eta/json/Converter.h"
#include "perftools/TempDir.h"
#include "publisher.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"

namespace emissary::test {

using json_test::Json;

struct CheckedHub {
    perf::test::TempDir dir;
    std::unique_ptr<HubFixture> f;

    /// Without `ready` no consumer logs in.
    explicit CheckedHub(const std::function<void(HubSettings&)>& change, bool ready = true) {
        std::filesystem::create_directory(dir.file("audit"));
        f = std::make_unique<HubFixture>([&](HubSettings& s) {
            s.audit.folder = dir.file("audit");
            s.listeners[0].anyRole = true;
            change(s);
        });
        f->plainNumbers = true;
        if (!ready) return;
        f->connected();
        f->until([this] { return f->hub->dictionary() != nullptr; });
    }
    [[nodiscard]] std::uint64_t count(const char* name) const {
        return f->hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(f->lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    [[nodiscard]] Json audited(const std::string& event, const std::string& user) {
        return auditLineOf(*f, dir.file("audit"), event, user);
    }
};

/// A publisher of items of its own service, over one protocol.
struct CheckedFeed {
    CheckedHub& hub;
    std::unique_ptr<RawConsumer> raw;
    std::unique_ptr<TextClient> text;
    std::vector<std::byte> room = std::vector<std::byte>(8192);

    CheckedFeed(CheckedHub& h, bool json, std::uint16_t port)
        : CheckedFeed(h, json, json ? webSocketTo(port) : RawConsumer::optionsFor(port)) {}
    CheckedFeed(CheckedHub& h, bool json, const eta::transport::ConnectOptions& to) : hub(h) {
        const auto turn = [&h] { h.f->turn(); };
        if (json) text = std::make_unique<TextClient>(to, turn);
        else raw = std::make_unique<RawConsumer>(to, turn);
    }
    /// Once more, without a name; nothing that says who it is.
    void again(const std::string& password = {}) {
        if (text != nullptr)
            return text->send(R"({"ID":1,"Domain":"Login","Key":{"Elements":{"Role":1)" +
                              (password.empty() ? "" : R"(,"Password":")" + password + '"') + "}}}");
        rdm::LoginAttributes a;
        a.role = 1;
        if (!password.empty()) a.password = password;
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, a).ok());
        Msg m;
        rdm::makeLoginRequest(m, "x", 1, out.view());
        m.key.flags =
            static_cast<decltype(m.key.flags)>(m.key.flags & ~(codec::KeyFlag::name | codec::KeyFlag::nameType));
        raw->send(m);
    }
    /// A token stands in the place of a name.
    void login(const std::string& user, const std::string& password = {}, const std::string& token = {}) {
        if (text != nullptr) return text->send(loginText(user, password, token));
        rdm::LoginAttributes a;
        a.role = 1;
        if (!password.empty()) a.password = password;
        if (!token.empty()) a.authenticationToken = token;
        eta::BeWriter out(room);
        REQUIRE(rdm::encodeLogin(out, a).ok());
        Msg m;
        if (token.empty()) rdm::makeLoginRequest(m, user, 1, out.view());
        else rdm::makeLoginRequest(m, std::string_view("\0", 1), rdm::LoginNameType::authnToken, out.view());
        raw->send(m);
    }
    [[nodiscard]] static std::string loginText(const std::string& user, const std::string& password,
                                               const std::string& token) {
        return R"({"ID":1,"Domain":"Login","Key":{)" +
               (token.empty() ? R"("Name":")" + user + '"' : R"("NameType":"AuthnToken")") +
               R"(,"Elements":{"Role":1)" + (password.empty() ? "" : R"(,"Password":")" + password + '"') +
               (token.empty() ? "" : R"(,"AuthenticationToken":")" + token + '"') + "}}}";
    }
    /// With these services, the first one with the number Publisher::kService.
    void directory(const std::vector<std::string>& services = {"NI_FEED"}) {
        reactor::GrowingBuffer map;
        const Msg m = directoryMessage(map, services);
        if (raw != nullptr) return raw->send(m);
        text->send(directoryText(services));
    }
    [[nodiscard]] Msg directoryMessage(reactor::GrowingBuffer& map,
                                       const std::vector<std::string>& services = {"NI_FEED"}) const {
        rdm::Directory d;
        for (std::size_t i = 0; i < services.size(); ++i)
            REQUIRE(d.add(RawProvider::service(static_cast<std::uint16_t>(Publisher::kService + i), services[i])));
        REQUIRE(d.encode(map.start(), {}).ok());
        Msg m = RawProvider::refresh(raw != nullptr ? 0 : -1, StreamState::open, false);
        m.domain = 4;
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        m.key.flags = codec::KeyFlag::filter;
        m.key.filter = 3;
        m.containerType = codec::DataType::Map;
        m.payload = map.view();
        return m;
    }
    [[nodiscard]] std::string directoryText(const std::vector<std::string>& services = {"NI_FEED"}) const {
        reactor::GrowingBuffer map, json;
        const Msg m = directoryMessage(map, services);
        std::vector<std::byte> bytes(maxEncodedSize(m));
        eta::BeWriter out(bytes);
        REQUIRE(codec::encodeMsg(out, m).ok());
        eta::json::Converter converter;
        REQUIRE(converter.toJson(out.view(), json.start()).ok());
        return std::string(eta::asText(json.view()));
    }
    /// `service`: the place in the list of directory().
    void item(std::int32_t stream, const std::string& name, std::uint64_t value, std::uint16_t service = 0) {
        if (text != nullptr) return text->send(itemText(stream, name, value, Publisher::kService + service));
        Msg m = RawProvider::refresh(stream, StreamState::open, false);
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = static_cast<std::uint16_t>(Publisher::kService + service);
        m.key.name = eta::asBytes(name);
        hub.f->fill(m, value);
        raw->send(m);
    }
    void update(std::int32_t stream, std::uint64_t value) {
        if (text != nullptr)
            return text->send(R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Update","Fields":{"PROD_PERM":)" +
                              std::to_string(value) + "}}");
        Msg m = RawProvider::update(stream);
        hub.f->fill(m, value);
        raw->send(m);
    }
    [[nodiscard]] static std::string itemText(std::int32_t stream, const std::string& name, std::uint64_t value,
                                              int service = Publisher::kService) {
        return R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Refresh","Solicited":false,"Key":{"Name":")" + name +
               R"(","Service":)" + std::to_string(service) +
               R"(},"State":{"Stream":"Open","Data":"Ok"},"Fields":{"PROD_PERM":)" + std::to_string(value) + "}}";
    }
    /// The state that the login has next, as "open", or "3 3: text" (stream state and code, in RSSL's numbers).
    [[nodiscard]] std::string state() {
        if (text != nullptr) {
            const Json s = text->next("Domain", "Login").at("State");
            if (s.at("Stream").text == "Open") return "open";
            return (s.at("Stream").text == "Closed" ? "closed: " : "closed, recover: ") + s.at("Text").text;
        }
        const Received got = raw->next();
        CHECK(int{got.msg.domain} == 1);
        if (got.msg.state.stream == StreamState::open) return "open";
        return (got.msg.state.stream == StreamState::closed ? "closed: " : "closed, recover: ") + got.stateText();
    }
};

/// What a consumer gets of an item of the publisher's.
[[nodiscard]] inline std::string publishedValue(CheckedHub& h, const std::string& name) {
    RawConsumer c = h.f->loggedIn("watcher");
    const std::uint16_t id = serviceOf(c);
    c.send(RawConsumer::request(5, 6, name, id));
    return HubFixture::fields(c.next().msg);
}

}  // namespace emissary::test
