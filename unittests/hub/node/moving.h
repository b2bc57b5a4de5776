// Sources that a test starts and a reload adds, and clients that see what becomes of services and items.
#pragma once

#include "fixture.h"

#include "reactor/json/fixture.h"
#include "reactor/rdm/consumer_status.h"

#include <map>
#include <set>

namespace emissary::test {

/// A provider that answers every request for an item with a value of its own, and remembers what it sent last.
struct Supplier {
    static constexpr std::uint64_t kValues = 1'000'000;  ///< its values are number * kValues + n
    struct Stream {
        std::string service, name;
    };
    Supplier(std::uint64_t n, const std::vector<std::string>& names) : number(n) {
        provider.services.clear();
        for (const std::string& s : names)
            provider.services.push_back(RawProvider::service(static_cast<std::uint16_t>(++ids_), s));
        provider.onMessage = [this](const RawProvider::Got& got) { take(got.msg); };
    }
    void poll() {
        const std::uint32_t before = provider.connections;
        const bool was = provider.connected();
        provider.poll();
        if (provider.connections != before || (was && !provider.connected())) streams.clear();
        provider.inbox.clear();
    }
    void take(const Msg& m) {
        if (m.cls == MsgClass::Close) {
            streams.erase(m.streamId);
            ++closes;
        }
        if (m.domain == 1 && m.cls == MsgClass::Close) ++goodbyes;
        if (m.cls != MsgClass::Request || m.domain != 6 || m.has(RequestFlag::noRefresh)) return;
        ++requests;
        const auto service = std::ranges::find(provider.services, m.key.serviceId, &rdm::Service::id);
        const bool reissue = streams.contains(m.streamId);
        if (!reissue)
            streams[m.streamId] = {service == provider.services.end() ? "" : service->info.name,
                                   std::string(eta::asText(m.key.name))};
        if (!answers) return;
        Msg r = RawProvider::refresh(m.streamId, StreamState::open, true);
        r.domain = 6;
        r.flags |= RefreshFlag::clearCache;
        say(r, streams[m.streamId], !reissue);  // another image of what it is: not everybody gets it
    }
    /// One update of each stream.
    void tick() {
        for (const auto& [stream, of] : streams) {
            Msg m = RawProvider::update(stream);
            m.domain = 6;
            m.updateType = 1;
            say(m, of);
        }
    }
    void say(Msg& m, const Stream& of, bool news = true) {
        codec::FieldListEncoder list;
        list.begin(payload_.start());
        std::uint64_t& value = last[of.service + "/" + of.name];
        if (news) value = number * kValues + ++count_;
        list.addUInt(1, value);
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = payload_.view();
        provider.send(m);
    }
    [[nodiscard]] bool serves(const std::string& service, const std::string& name) const {
        return provider.connected() && std::ranges::any_of(streams, [&](const auto& s) {
                   return s.second.service == service && s.second.name == name;
               });
    }
    [[nodiscard]] SourceSettings settings(const std::string& name) const {
        SourceSettings s;
        s.name = name;
        s.userName = "hub";
        s.position = "1.1.1.1/net";
        s.channels.push_back(RawConsumer::optionsFor(provider.port()));
        s.channelNames.push_back("C" + std::to_string(number));
        return s;
    }

    std::uint64_t number;
    RawProvider provider;
    bool answers = true;
    std::map<std::int32_t, Stream> streams;
    std::map<std::string, std::uint64_t> last;  ///< value sent last by "service/item"
    std::size_t requests = 0, closes = 0, goodbyes = 0;

private:
    int ids_ = 0;
    std::uint64_t count_ = 0;
    reactor::GrowingBuffer payload_;
};

/// A client of either protocol that follows the directory and items of any service.
class Viewer {
public:
    struct Stream {
        std::string service, name;
        std::uint64_t value = 0, messages = 0, states = 0;  ///< states: statuses that came
        std::uint8_t stream = 0, data = 0;                  ///< 0: nothing has come
        std::string text;
        std::uint64_t images = 0;  ///< of `messages`
        [[nodiscard]] bool closed() const noexcept {
            return stream == StreamState::closed || stream == StreamState::closedRecover;
        }
        [[nodiscard]] bool isOk() const noexcept { return stream == StreamState::open && data == ok; }
        [[nodiscard]] bool isSuspect() const noexcept { return stream == StreamState::open && data == suspect; }
    };
    Viewer(HubFixture& f, bool json, const std::string& user) {
        if (!json) {
            messages_.emplace(f.loggedIn(user));
            messages_->send(RawConsumer::directoryRequest(3));
            return;
        }
        texts_ = std::make_unique<TextClient>(webSocketTo(f.hub->port()), [&f] { f.turn(); });
        texts_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user + R"("}})");
        REQUIRE(texts_->next("ID", "1").at("State").at("Stream").text == "Open");
        texts_->send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
    }
    /// The client knows the service.
    void open(std::int32_t stream, const std::string& service, const std::string& name = "IBM") {
        streams[stream] = {service, name, 0, 0, 0, 0, 0, {}, 0};
        if (texts_)
            return texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":")" + name +
                                R"(","Service":")" + service + R"("}})");
        const auto known = std::ranges::find(services, service, [](const auto& s) { return s.second.name; });
        REQUIRE(known != services.end());
        messages_->send(RawConsumer::request(stream, 6, name, known->first));
    }
    /// Warm standby by service: the client stands by for it from now on, or is active.
    void standBy(const std::string& service, bool standby) {
        const auto known = std::ranges::find(services, service, [](const auto& s) { return s.second.name; });
        REQUIRE(known != services.end());
        if (texts_)
            return texts_->send(R"({"ID":2,"Type":"Generic","Domain":"Source","Key":{"Name":"ConsumerStatus"},"Map":{)"
                                R"("KeyType":"UInt","Entries":[{"Action":"Add","Key":)" +
                                std::to_string(known->first) + R"(,"Elements":{"WarmStandbyMode":)" +
                                (standby ? "1" : "0") + "}}]}}");
        reactor::GrowingBuffer payload(64);
        Msg m;
        const std::vector<rdm::UsedService> uses{
            {known->first, standby ? rdm::ServiceUse::warmStandby : rdm::ServiceUse::warmActive}};
        REQUIRE(rdm::makeConsumerStatus(m, uses, payload).ok());
        messages_->send(m);
    }
    void close(std::int32_t stream) {
        streams.erase(stream);
        if (texts_) texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Close"})");
        else messages_->send(RawConsumer::close(stream));
    }
    void read() {
        while (messages_) {
            const auto got = messages_->tryNext(std::chrono::milliseconds(0));
            if (!got) break;
            take(got->msg);
        }
        while (texts_ && texts_->ready())
            take(texts_->next());
    }
    [[nodiscard]] bool knows(const std::string& service) {
        read();
        return std::ranges::any_of(services, [&](const auto& s) { return s.second.name == service; });
    }
    [[nodiscard]] bool up(const std::string& service) {
        read();
        return std::ranges::any_of(services, [&](const auto& s) { return s.second.name == service && s.second.up; });
    }
    [[nodiscard]] const Stream& operator[](std::int32_t stream) {
        read();
        return streams[stream];
    }
    [[nodiscard]] bool gone() {
        read();
        eta::transport::Channel& channel = messages_ ? messages_->channel() : texts_->channel();
        return channel.state() == eta::transport::ChannelState::closed;
    }

    struct Known {
        std::string name;
        bool up = false;
    };
    std::map<std::int32_t, Stream> streams;
    std::map<std::uint16_t, Known> services;
    std::multiset<std::string> deleted;  ///< services, each time

private:
    void deletes(std::uint16_t id) {
        if (services.contains(id)) deleted.insert(services[id].name);
        services.erase(id);
    }
    void take(const Msg& m) {
        if (m.domain == 4 && (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update)) {
            codec::MapDecoder map;
            REQUIRE(map.start(m.payload).ok());
            for (codec::MapEntry e; map.next(e);) {
                std::uint64_t id = 0;
                REQUIRE(codec::decodeUInt(e.key, id) == codec::Decoded::value);
                if (e.action == codec::MapAction::del) deletes(static_cast<std::uint16_t>(id));
            }
            REQUIRE(directory_.apply(m.payload, m.cls == MsgClass::Refresh).ok());
            for (const auto& s : directory_.services())
                services[s->id] = {s->name(), s->state.up};
        }
        const auto at = streams.find(m.streamId);
        if (m.domain != 6 || at == streams.end()) return;
        Stream& s = at->second;
        ++s.messages;
        if (m.cls == MsgClass::Status) ++s.states;
        if (m.cls == MsgClass::Refresh) ++s.images;
        if (m.hasState() && (m.cls == MsgClass::Refresh || m.cls == MsgClass::Status)) {
            s.stream = m.state.stream;
            if (m.state.data != codec::DataState::noChange) s.data = m.state.data;
            s.text = eta::asText(m.state.text);
        }
        if (m.containerType != codec::DataType::FieldList || m.payload.empty()) return;
        codec::FieldListDecoder list;
        REQUIRE(list.start(m.payload).ok());
        for (codec::FieldEntry e; list.next(e);)
            REQUIRE(codec::decodeUInt(e.data, s.value) == codec::Decoded::value);
    }
    void take(const json_test::Json& got) {
        const std::string type = got.at("Type").text;
        if (type == "Ping") return texts_->send(R"({"Type":"Pong"})");
        const std::int32_t stream = std::stoi(got.at("ID").text);
        if (stream == 2) {
            const json_test::Json* const map = got.find("Map");
            for (const json_test::Json& e :
                 map != nullptr ? map->at("Entries").items : std::vector<json_test::Json>{}) {
                const auto id = static_cast<std::uint16_t>(std::stoi(e.at("Key").text));
                if (e.at("Action").text == "Delete") {
                    deletes(id);
                    continue;
                }
                for (const json_test::Json& filter : e.at("FilterList").at("Entries").items)
                    if (const json_test::Json* const elements = filter.find("Elements")) {
                        if (const auto* const name = elements->find("Name")) services[id].name = name->text;
                        if (const auto* const state = elements->find("ServiceState"))
                            services[id].up = (state->kind == json_test::Json::Kind::object ? state->at("Data").text
                                                                                            : state->text) == "1";
                    }
            }
        }
        const auto at = streams.find(stream);
        if (at == streams.end()) return;
        Stream& s = at->second;
        ++s.messages;
        if (type == "Status") ++s.states;
        if (type == "Refresh") ++s.images, s.stream = StreamState::open, s.data = ok, s.text.clear();
        if (const json_test::Json* const state = got.find("State")) {
            static const std::map<std::string, std::uint8_t> kStream{{"Open", StreamState::open},
                                                                     {"NonStreaming", StreamState::nonStreaming},
                                                                     {"ClosedRecover", StreamState::closedRecover},
                                                                     {"Closed", StreamState::closed}};
            s.stream = kStream.at(state->at("Stream").text);
            if (const std::string& data = state->at("Data").text; data != "NoChange")
                s.data = data == "Ok" ? ok : suspect;
            if (const auto* const text = state->find("Text")) s.text = text->text;
        }
        if (const json_test::Json* const fields = got.find("Fields"); fields != nullptr && !fields->members.empty())
            s.value = std::stoull(fields->members.begin()->second.text);
    }

    rdm::Directory directory_;
    std::optional<RawConsumer> messages_;
    std::unique_ptr<TextClient> texts_;
};

/// A hub with the fixture's source SRC of DIRECT_FEED, and suppliers that are sources when a test says so.
struct MovingHub : HubFixture {
    explicit MovingHub(const std::function<void(HubSettings&)>& change = {}) : HubFixture(change) {
        plainNumbers = true;
        connected();
        until([&] { return hub->dictionary() != nullptr; });
        alongside = [this] {
            for (Supplier* const s : suppliers)
                s->poll();
        };
        provider.onMessage = [this](const RawProvider::Got& got) {
            if (got.msg.cls != MsgClass::Request || got.msg.domain != 6 || got.msg.has(RequestFlag::noRefresh)) return;
            if (got.name() == "IBM") steady = got.msg.streamId;
            refresh(got.msg.streamId, steadyValue, got.name());
        };
    }
    [[nodiscard]] eta::Refused change(const std::function<void(HubSettings&)>& how) {
        HubSettings next = hub->settings();
        how(next);
        return hub->change(next);
    }
    void taken(const std::function<void(HubSettings&)>& how) {
        const eta::Refused refused = change(how);
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    /// Adds, or gives others in the place of, the source of that name.
    void source(const std::string& name, const Supplier& of) {
        taken([&](HubSettings& s) {
            const auto at = std::ranges::find(s.sources, name, &SourceSettings::name);
            if (at != s.sources.end()) *at = of.settings(name);
            else s.sources.push_back(of.settings(name));
        });
    }
    void without(const std::string& name) {
        taken([&](HubSettings& s) { std::erase_if(s.sources, [&](const auto& one) { return one.name == name; }); });
    }
    static ServiceSettings entry(const std::string& name, const std::function<void(ServiceSettings&)>& how = {}) {
        ServiceSettings s;
        s.name = name;
        if (how) how(s);
        return s;
    }
    static ServiceSettings fixed(const std::string& name, std::uint16_t id) {
        return entry(name, [&](ServiceSettings& s) {
            s.serviceId = id;
            s.fixed = RawProvider::service(id, name);
        });
    }
    /// Nobody leaves any more.
    void settled() {
        until([&] { return hub->leaving() == 0; });
    }
    [[nodiscard]] Service* service(const std::string& name) { return hub->rooms().services.find(name); }
    [[nodiscard]] std::set<std::string> sources() {
        std::set<std::string> names;
        hub->eachSource([&](Source& s) { names.insert(s.name()); });
        return names;
    }
    std::vector<Supplier*> suppliers;
    std::int32_t steady = 0;
    std::uint64_t steadyValue = 100;
};

}  // namespace emissary::test
