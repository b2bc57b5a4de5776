// Fields that a login may have, whatever it asks for (hub.md 11.4), through a whole hub over both protocols.
#include "fixture.h"

#include "hub/core/ViewTable.h"
#include "hub/flow/ItemFlow.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/View.h"
#include "support/item_list.h"

#include <filesystem>
#include <map>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

using Ids = std::set<std::int16_t>;
using Values = std::map<std::int16_t, std::uint64_t>;
constexpr std::int16_t kFields = 8;

[[nodiscard]] Values cut(const Values& all, const Ids& to) {
    Values out;
    for (const auto& [id, value] : all)
        if (to.contains(id)) out.emplace(id, value);
    return out;
}
[[nodiscard]] Ids everything() {
    Ids all;
    for (std::int16_t id = 1; id <= kFields; ++id)
        all.insert(id);
    return all;
}
[[nodiscard]] Ids both(const Ids& a, const Ids& b) {
    Ids out;
    std::ranges::set_intersection(a, b, std::inserter(out, out.end()));
    return out;
}
/// As the settings say it: every other field by its name.
[[nodiscard]] ViewSettings viewOf(const Ids& ids) {
    ViewSettings view{"thin", {}};
    for (const std::int16_t id : ids)
        view.fields.push_back(id % 2 == 0 ? std::to_string(id) : "F" + std::to_string(id));
    return view;
}

/// A hub whose provider has items of eight numbers, answers every request and takes posts.
struct NumbersHub {
    std::map<std::string, Values, std::less<>> truth;
    std::map<std::int32_t, std::string> streams;  // of the provider
    HubFixture f;
    reactor::GrowingBuffer room;

    explicit NumbersHub(CachePolicy::Rule cache, const std::function<void(HubSettings&)>& more = {})
        : f([&](HubSettings& s) {
              prepare();
              s.services[0].cache.rule = cache;
              s.userClasses = {{"restricted", {}, {}, {}, {}, ViewSettings{"thin", {}}}};
              s.userClasses[0].users = {"thin", "thinner"};
              if (more) more(s);
          }) {
        f.connected();
        f.until([this] { return f.hub->dictionary() != nullptr; });
    }
    void prepare() {
        std::string text = "!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n";
        for (std::int16_t id = 1; id <= kFields; ++id) {
            const std::string number = std::to_string(id);
            text += "F" + number + " \"FIELD " + number + "\" " + number + " NULL INTEGER 15 UINT64 8\n";
        }
        text += "CURRENCY \"CURRENCY\" 15 NULL ENUMERATED 5 ( 3 ) ENUM 2\n";
        f.provider.dictionary = {};
        REQUIRE_FALSE(f.provider.dictionary.parseFields(text, "fields"));
        REQUIRE_FALSE(f.provider.dictionary.parseEnums(
            "!tag Type 2\n!tag DT_Version 1.0\n!tag DictionaryId 1\nCURRENCY 15\n 840 \"USD\" dollar\n", "enums"));
        f.provider.onMessage = [this](const RawProvider::Got& got) { onMessage(got.msg); };
    }
    void encode(Msg& m, const Values& values) {
        codec::FieldListEncoder list;
        list.begin(room.start());
        for (const auto& [id, value] : values)
            list.addUInt(id, value);
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = room.view();
    }
    void onMessage(const Msg& m) {
        if (m.cls == MsgClass::Request) {
            const std::string name = m.hasKey() && m.key.has(codec::KeyFlag::name)
                                         ? std::string(eta::asText(m.key.name))
                                         : streams.at(m.streamId);
            if (m.has(RequestFlag::streaming)) streams[m.streamId] = name;
            if (m.has(RequestFlag::noRefresh)) return;
            Msg answer = RawProvider::refresh(m.streamId, m.has(RequestFlag::streaming) ? StreamState::open
                                                                                        : StreamState::nonStreaming);
            answer.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
            if (m.has(RequestFlag::privateStream)) answer.flags |= RefreshFlag::privateStream;
            answer.domain = m.domain;
            answer.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
            answer.key.serviceId = HubFixture::kUpstreamId;
            answer.key.name = eta::asBytes(name);
            encode(answer, truth[name]);
            f.provider.send(answer);
        } else if (m.cls == MsgClass::Close) streams.erase(m.streamId);
        else if (m.cls == MsgClass::Post) {
            Msg inner = m;
            if (m.containerType == codec::DataType::Msg) REQUIRE(codec::decodeMsg(m.payload, inner).ok());
            update(streams.at(m.streamId), valuesOf(inner));
        }
    }
    [[nodiscard]] static Values valuesOf(const Msg& m) {
        Values out;
        codec::FieldListDecoder list;
        REQUIRE(m.containerType == codec::DataType::FieldList);
        REQUIRE(list.start(m.payload).ok());
        for (codec::FieldEntry e; list.next(e);) {
            std::uint64_t v = 0;
            REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
            out[e.fieldId] = v;
        }
        return out;
    }
    /// The provider's item has these values from now on.
    void update(const std::string& name, const Values& values) {
        for (const auto& [id, value] : values)
            truth[name][id] = value;
        for (const auto& [stream, item] : streams) {
            if (item != name) continue;
            Msg m = RawProvider::update(stream);
            m.updateType = 1;
            encode(m, values);
            f.provider.send(m);
        }
    }
    void allow(const std::optional<Ids>& ids) {
        HubSettings next = f.hub->settings();
        if (ids) next.userClasses[0].view = viewOf(*ids);
        else next.userClasses[0].view.reset();
        REQUIRE_FALSE(f.hub->change(next));
    }
    [[nodiscard]] std::uint64_t value(std::string_view name) {
        return f.hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    /// Every open stream has the view that its login may have now.
    void settle() {
        f.until([this] { return value("emissary_hub_rights_walks") == 0; });
    }
};

/// A consumer of either protocol that keeps what each stream shows.
class Reader {
public:
    struct Stream {
        std::string name;
        Ids asked = everything();
        Values values;
        std::size_t refreshes = 0, solicited = 0;
        bool over = false;
    };
    std::map<std::int32_t, Stream> streams;
    Ids permitted = everything();  ///< what may come at present
    std::vector<std::string> leaks;

    Reader(NumbersHub& hub, bool json, const std::string& user) : f_(hub.f) {
        if (!json) {
            messages_.emplace(f_.loggedIn(user));
            return;
        }
        texts_ = std::make_unique<TextClient>(webSocketTo(f_.hub->port()), [this] { f_.turn(); });
        texts_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + user + R"("}})");
        REQUIRE(texts_->next("ID", "1").at("State").at("Stream").text == "Open");
    }

    enum class Way : std::uint8_t { stream, snapshot, priv };
    /// One item, or with several names a batch on the streams from the next one on. `asked` null: no view.
    void open(std::int32_t stream, const std::vector<std::string>& names, const Ids* asked, Way way = Way::stream) {
        const bool batch = names.size() > 1;
        for (std::size_t i = 0; i < names.size(); ++i) {
            Stream& s = streams[static_cast<std::int32_t>(stream + (batch ? 1 : 0) + static_cast<std::int32_t>(i))];
            s = {};
            s.name = names[i];
            if (asked != nullptr) s.asked = *asked;
        }
        request(stream, names, asked, way);
    }
    void reissue(std::int32_t stream, const Ids* asked) {
        Stream& s = streams.at(stream);
        s.asked = asked != nullptr ? *asked : everything();
        request(stream, {s.name}, asked, Way::stream);
    }
    void close(std::int32_t stream) {
        if (messages_) messages_->send(RawConsumer::close(stream));
        else texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Type":"Close"})");
        streams.erase(stream);
    }
    void pause(std::int32_t stream, bool on, const Ids* asked) {
        const Stream& s = streams.at(stream);
        if (messages_) {
            Msg m = HubFixture::request(stream, s.name);
            m.flags |= static_cast<std::uint16_t>(RequestFlag::noRefresh | (on ? RequestFlag::pause : 0) |
                                                  (asked != nullptr ? RequestFlag::view : 0));
            return messages_->send(m);
        }
        texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Refresh":false,"Pause":)" + (on ? "true" : "false") +
                     R"(,"Key":{"Name":")" + s.name + R"(","Service":"DIRECT_FEED"})" + viewText(asked) + "}");
    }
    void post(NumbersHub& hub, std::int32_t stream, const Values& values) {
        if (messages_) {
            Msg m;
            m.cls = MsgClass::Post;
            m.domain = 6;
            m.streamId = stream;
            m.flags = codec::PostFlag::complete;
            hub.encode(m, values);
            return messages_->send(m);
        }
        std::string fields;
        for (const auto& [id, value] : values)
            fields += (fields.empty() ? "\"F" : ",\"F") + std::to_string(id) + "\":" + std::to_string(value);
        texts_->send(R"({"ID":)" + std::to_string(stream) +
                     R"(,"Type":"Post","Message":{"ID":0,"Type":"Update","Fields":{)" + fields + "}}}");
    }
    void read() {
        while (messages_) {
            auto got = messages_->tryNext(std::chrono::milliseconds(0));
            if (!got) break;
            onMessage(*got);
        }
        while (texts_ && texts_->ready())
            onText(texts_->next());
    }
    /// Reads all that was sent to it up to now.
    void readAll() {
        marked_ = false;
        if (messages_) messages_->send(RawConsumer::request(999'999, 6, "none", std::uint16_t{65'000}));
        else texts_->send(R"({"ID":999999,"Key":{"Name":"none","Service":65000}})");
        f_.until([this] {
            read();
            return marked_;
        });
    }
    /// What streams show is what the provider has, within what they asked for and `allowed`.
    void check(const NumbersHub& hub, const Ids& allowed) {
        for (const auto& [id, s] : streams) {
            INFO("stream " << id << " on " << s.name);
            CHECK(s.values == cut(hub.truth.find(s.name)->second, both(s.asked, allowed)));
        }
    }
    [[nodiscard]] bool shows(const NumbersHub& hub, const Ids& allowed) {
        read();
        return std::ranges::all_of(streams, [&](const auto& one) {
            return one.second.values == cut(hub.truth.find(one.second.name)->second, both(one.second.asked, allowed));
        });
    }

private:
    void request(std::int32_t stream, const std::vector<std::string>& names, const Ids* asked, Way way) {
        if (texts_) {
            std::string all;
            for (const std::string& name : names)
                all += (all.empty() ? "\"" : ",\"") + name + "\"";
            return texts_->send(R"({"ID":)" + std::to_string(stream) + R"(,"Key":{"Name":)" +
                                (names.size() > 1 ? "[" + all + "]" : all) + R"(,"Service":"DIRECT_FEED"})" +
                                (way == Way::snapshot ? R"(,"Streaming":false)" : "") +
                                (way == Way::priv ? R"(,"Private":true)" : "") + viewText(asked) + "}");
        }
        Msg m = HubFixture::request(stream, names.size() > 1 ? std::string_view{} : std::string_view(names[0]));
        if (way == Way::snapshot) m.flags &= static_cast<std::uint16_t>(~RequestFlag::streaming);
        if (way == Way::priv) m.flags |= RequestFlag::privateStream;
        codec::ElementListEncoder list;
        list.begin(room_.start());
        if (asked != nullptr) {
            rdm::View view;
            view.fields.assign(asked->begin(), asked->end());
            view.encode(list);
            m.flags |= RequestFlag::view;
        }
        if (names.size() > 1) {
            m.flags |= RequestFlag::batch;
            addItemList(list, names);
        }
        REQUIRE(list.complete().ok());
        if (m.has(RequestFlag::view) || m.has(RequestFlag::batch)) {
            m.containerType = codec::DataType::ElementList;
            m.payload = room_.view();
        }
        messages_->send(m);
    }
    [[nodiscard]] static std::string viewText(const Ids* asked) {
        if (asked == nullptr) return {};
        std::string out;
        for (const std::int16_t id : *asked)
            out += (out.empty() ? "" : ",") + (id % 2 == 0 ? std::to_string(id) : "\"F" + std::to_string(id) + "\"");
        return ",\"View\":[" + out + "]";
    }
    void onMessage(const Received& got) {
        if (got.msg.streamId == 999'999) marked_ = true;
        const auto at = streams.find(got.msg.streamId);
        if (at == streams.end()) return;
        if (got.msg.cls == MsgClass::Refresh)
            take(at->second, NumbersHub::valuesOf(got.msg), true, got.msg.has(RefreshFlag::solicited));
        else if (got.msg.cls == MsgClass::Update) take(at->second, NumbersHub::valuesOf(got.msg), false, false);
        if (got.msg.hasState() && got.msg.state.stream != StreamState::open) at->second.over = true;
    }
    void onText(const Json& got) {
        const std::string type = got.at("Type").text;
        if (type == "Ping") return texts_->send(R"({"Type":"Pong"})");
        const std::int32_t id = std::stoi(got.at("ID").text);
        if (id == 999'999) marked_ = true;
        const auto at = streams.find(id);
        if (at == streams.end()) return;
        if (const Json* const state = got.find("State"); state != nullptr && state->at("Stream").text != "Open")
            at->second.over = true;
        if (type != "Refresh" && type != "Update") return;
        Values values;
        if (const Json* const fields = got.find("Fields"))
            for (const auto& [name, value] : fields->members)
                values[static_cast<std::int16_t>(std::stoi(name.substr(1)))] = std::stoull(value.text);
        const Json* const solicited = got.find("Solicited");
        take(at->second, values, type == "Refresh", solicited == nullptr || solicited->text != "false");
    }
    void take(Stream& s, const Values& values, bool image, bool solicited) {
        for (const auto& [id, value] : values)
            if (!permitted.contains(id) || !s.asked.contains(id))
                leaks.push_back(s.name + ": " + std::to_string(id) + "=" + std::to_string(value) +
                                (permitted.contains(id) ? ", not asked for" : ", not permitted"));
        if (image) {
            ++s.refreshes;
            s.solicited += solicited;
            s.values = values;
        } else
            for (const auto& [id, value] : values)
                s.values[id] = value;
    }

    HubFixture& f_;
    std::optional<RawConsumer> messages_;
    std::unique_ptr<TextClient> texts_;
    reactor::GrowingBuffer room_;
    bool marked_ = false;
};

[[nodiscard]] Values numbered(std::uint64_t from) {
    Values all;
    for (std::int16_t id = 1; id <= kFields; ++id)
        all[id] = from + static_cast<std::uint64_t>(id);
    return all;
}

}  // namespace

TEST_CASE("a login has the fields of its view and no other, however it asks", "[hub][node][login-view][json]") {
    const bool json = GENERATE(false, true);
    const auto cache = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    INFO((json ? "JSON" : "RIPC") << ", cache " << (cache == CachePolicy::Rule::all));
    const Ids allowed{1, 2, 3};
    NumbersHub hub(cache, [&](HubSettings& s) { s.userClasses[0].view = viewOf(allowed); });
    hub.truth["A"] = numbered(10);
    hub.truth["B"] = numbered(20);
    hub.truth["P"] = numbered(30);
    Reader whole(hub, json, "whole"), thin(hub, json, "thin");
    thin.permitted = allowed;
    const Ids some{2, 3, 4}, none{7, 8};
    whole.open(5, {"A"}, nullptr);
    thin.open(5, {"A"}, nullptr);
    thin.open(6, {"A"}, &some);
    thin.open(7, {"B"}, &none);
    thin.open(10, {"A", "B"}, nullptr);  // 11, 12
    thin.open(20, {"B", "A"}, &some);    // 21, 22
    thin.open(30, {"A"}, &some, Reader::Way::snapshot);
    thin.open(31, {"B"}, nullptr, Reader::Way::snapshot);
    thin.open(32, {"P"}, nullptr, Reader::Way::priv);
    hub.f.until([&] {
        const bool first = whole.shows(hub, everything());
        return thin.shows(hub, allowed) && first &&
               std::ranges::all_of(thin.streams, [](const auto& s) { return s.second.refreshes != 0; });
    });
    CHECK(thin.streams[7].values.empty());
    CHECK(thin.streams[30].over);
    CHECK(thin.streams[31].over);
    thin.streams.erase(30);
    thin.streams.erase(31);
    for (const char* const name : {"A", "B", "P"})
        hub.update(name, {{1, 101}, {4, 104}, {8, 108}});
    hub.f.until([&] { return whole.shows(hub, everything()) && thin.shows(hub, allowed); });
    // A post of one is an update of all, cut like any other.
    whole.post(hub, 5, {{2, 202}, {5, 205}});
    hub.f.until([&] { return hub.truth["A"].at(5) == 205; });
    hub.f.until([&] { return whole.shows(hub, everything()) && thin.shows(hub, allowed); });
    thin.post(hub, 5, {{3, 203}, {6, 206}});
    hub.f.until([&] { return hub.truth["A"].at(6) == 206; });
    hub.f.until([&] { return whole.shows(hub, everything()) && thin.shows(hub, allowed); });
    // Other views on open streams: all that may be had, another part, nothing that may be had.
    thin.reissue(6, nullptr);
    thin.reissue(7, &some);
    thin.reissue(5, &none);
    hub.f.until([&] { return thin.shows(hub, allowed); });
    thin.readAll();
    thin.check(hub, allowed);
    CHECK(thin.leaks.empty());
    CHECK(whole.leaks.empty());
    for (const auto& [stream, s] : thin.streams)
        CHECK_FALSE(s.over);
    hub.allow(std::nullopt);
    thin.permitted = everything();
    hub.f.until([&] { return thin.shows(hub, everything()); });
    while (!thin.streams.empty())
        thin.close(thin.streams.begin()->first);
    hub.f.until([&] { return hub.f.hub->rooms().flow.counts().mounts.get() == 1; });
    CHECK(hub.f.hub->rooms().views.size() == 0);
}

TEST_CASE("a view that changes holds for open streams at once, with a new image", "[hub][node][login-view][json]") {
    const bool json = GENERATE(false, true);
    const auto cache = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    INFO((json ? "JSON" : "RIPC") << ", cache " << (cache == CachePolicy::Rule::all));
    NumbersHub hub(cache, [&](HubSettings& s) { s.userClasses[0].view.reset(); });
    hub.truth["A"] = numbered(10);
    hub.truth["P"] = numbered(20);
    Reader whole(hub, json, "whole"), thin(hub, json, "thin");
    const Ids some{2, 3, 4};
    whole.open(5, {"A"}, nullptr);
    thin.open(5, {"A"}, nullptr);
    thin.open(6, {"A"}, &some);
    thin.open(7, {"P"}, nullptr, Reader::Way::priv);
    thin.open(8, {"A"}, &some);
    hub.f.until([&] { return whole.shows(hub, everything()) && thin.shows(hub, everything()); });
    thin.pause(8, true, &some);
    thin.readAll();
    const std::size_t images = whole.streams[5].refreshes;
    const std::vector<std::optional<Ids>> views{Ids{1, 2}, Ids{2, 3, 4, 5}, Ids{}, Ids{4}, std::nullopt, Ids{1}};
    std::uint64_t n = 100;
    for (const std::optional<Ids>& view : views) {
        const std::map<std::int32_t, Reader::Stream> before = thin.streams;
        const Ids allowed = view.value_or(everything());
        thin.permitted.insert(allowed.begin(), allowed.end());  // until all streams have the new view
        hub.allow(view);
        const auto began = std::chrono::steady_clock::now();
        hub.f.until([&] {
            thin.read();
            return std::ranges::all_of(std::vector{5, 6, 7}, [&](std::int32_t stream) {
                const Reader::Stream& s = thin.streams[stream];
                return s.values == cut(hub.truth[s.name], both(s.asked, allowed));
            });
        });
        // Well above what a sanitizer makes of it, and well below a timeout of the hub.
        CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(10));
        hub.settle();
        thin.readAll();
        thin.permitted = allowed;
        for (const std::int32_t stream : {5, 6, 7}) {
            INFO("stream " << stream);
            const Reader::Stream &is = thin.streams[stream], &was = before.at(stream);
            CHECK_FALSE(is.over);
            // Whoever has no other fields than before sees nothing.
            if (is.values == was.values) continue;
            CHECK(is.refreshes > was.refreshes);
            if (stream != 7 && cache == CachePolicy::Rule::all) {
                CHECK(is.refreshes == was.refreshes + 1);
                CHECK(is.solicited == was.solicited);
            }
        }
        CHECK(thin.streams[8].refreshes == before.at(8).refreshes);  // it is paused
        Values values;
        for (std::int16_t id = 1; id <= kFields; ++id)
            values[id] = ++n;
        hub.update("A", values);
        hub.update("P", values);
        hub.f.until([&] {
            whole.read();
            thin.read();
            return whole.shows(hub, everything()) &&
                   std::ranges::all_of(std::vector{5, 6, 7}, [&](std::int32_t stream) {
                       const Reader::Stream& s = thin.streams[stream];
                       return s.values == cut(hub.truth[s.name], both(s.asked, allowed));
                   });
        });
        thin.readAll();
        CHECK(thin.leaks.empty());
    }
    thin.pause(8, false, &some);
    hub.f.until([&] { return thin.shows(hub, Ids{1}); });
    CHECK(thin.leaks.empty());
    if (cache == CachePolicy::Rule::all) CHECK(whole.streams[5].refreshes == images);  // nobody else hears of it
    thin.streams.clear();
    whole.streams.clear();
}

TEST_CASE("whatever clients do while views change, each ends with the fields that it may have",
          "[hub][node][login-view][json]") {
    const bool json = GENERATE(false, true);
    const auto cache = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    INFO((json ? "JSON" : "RIPC") << ", cache " << (cache == CachePolicy::Rule::all));
    NumbersHub hub(cache);
    Reader whole(hub, json, "whole"), thin(hub, json, "thin"), thinner(hub, json, "thinner");
    constexpr int kItems = 4;
    for (int i = 0; i < kItems; ++i)
        hub.truth["I" + std::to_string(i)] = numbered(static_cast<std::uint64_t>(10 * i));
    std::mt19937 random(7);
    const auto anyIds = [&](bool empty) {
        Ids ids;
        for (std::int16_t id = 1; id <= kFields; ++id)
            if (random() % 2 == 0) ids.insert(id);
        if (ids.empty() && !empty) ids.insert(1);
        return ids;
    };
    const auto anyName = [&] { return "I" + std::to_string(random() % kItems); };
    const std::vector<Reader*> readers{&whole, &thin, &thinner};
    std::int32_t next = 5;
    std::optional<Ids> allowed = Ids{};
    std::uint64_t n = 1000;
    for (Reader* const r : readers)
        r->permitted = r == &whole ? everything() : *allowed;
    for (int step = 0; step < 1500; ++step) {
        Values values;
        for (const std::int16_t id : anyIds(false))
            values[id] = ++n;
        hub.update(anyName(), values);
        if (random() % 3 == 0) hub.f.turn();
        Reader& r = *readers[random() % readers.size()];
        const Ids ids = anyIds(false);
        const Ids* const asked = random() % 2 == 0 ? &ids : nullptr;
        const auto one = [&] {
            auto at = r.streams.begin();
            std::advance(at, static_cast<std::ptrdiff_t>(random() % r.streams.size()));
            return at->first;
        };
        switch (random() % 12) {
        case 0:
            if (r.streams.size() > 20) break;
            r.open(next, {anyName()}, asked);
            next += 10;
            break;
        case 1:
            if (r.streams.size() > 20) break;
            r.open(next, {anyName(), anyName(), anyName()}, asked);
            next += 10;
            break;
        case 2:
            if (!r.streams.empty()) r.close(one());
            break;
        case 3:
            if (!r.streams.empty()) {
                // An update that the hub takes before the request comes has what was asked for until then.
                const std::int32_t stream = one();
                r.readAll();
                const Ids was = r.streams.at(stream).asked;
                r.reissue(stream, asked);
                Reader::Stream& s = r.streams.at(stream);
                const Ids now = s.asked;
                s.asked.insert(was.begin(), was.end());
                r.readAll();
                s.asked = now;
            }
            break;
        case 4: {
            if (random() % 4 != 0) break;
            const auto before = allowed;
            allowed = random() % 4 == 0 ? std::nullopt : std::optional(anyIds(true));
            for (Reader* const other : {&thin, &thinner}) {
                Ids of = allowed.value_or(everything());
                for (const std::int16_t id : before.value_or(everything()))
                    of.insert(id);
                other->permitted = of;
            }
            hub.allow(allowed);
            hub.settle();
            for (Reader* const other : {&thin, &thinner}) {
                other->readAll();
                other->permitted = allowed.value_or(everything());
            }
            break;
        }
        default:
            for (Reader* const other : readers)
                other->read();
        }
    }
    hub.f.until([&] {
        return whole.shows(hub, everything()) && thin.shows(hub, allowed.value_or(everything())) &&
               thinner.shows(hub, allowed.value_or(everything()));
    });
    for (Reader* const r : readers) {
        INFO((r == &whole ? "whole" : "restricted"));
        r->readAll();
        r->check(hub, r == &whole ? everything() : allowed.value_or(everything()));
        CHECK(r->leaks == std::vector<std::string>{});
        while (!r->streams.empty())
            r->close(r->streams.begin()->first);
    }
    hub.f.until([&] { return hub.f.hub->rooms().flow.counts().mounts.get() == 0; });
    CHECK(hub.f.hub->rooms().views.size() == 0);
}

TEST_CASE("the view is that of the user's group, and follows it", "[hub][node][login-view][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    const perf::test::TempDir dir;
    dir.write("users", "dana::desk:\nwatcher::desk:\n");
    NumbersHub hub(CachePolicy::Rule::all, [&](HubSettings& s) {
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = dir.file("users");
        s.userClasses[0].users = {};
        s.userClasses[0].groups = {"retail"};
        s.userClasses[0].view = ViewSettings{"thin", {"F1", "2", "NO_SUCH"}};
    });
    CHECK(std::ranges::any_of(hub.f.lines, [](const std::string& line) {
        return line.find("View [thin] has the field [NO_SUCH], which the dictionary does not have") !=
               std::string::npos;
    }));
    hub.truth["A"] = numbered(10);
    Reader dana(hub, json, "dana");
    dana.open(5, {"A"}, nullptr);
    hub.f.until([&] { return dana.shows(hub, everything()); });
    std::filesystem::rename(dir.write("users.new", "dana::retail:\nwatcher::desk:\n"), dir.file("users"));
    hub.f.hub->readAccessAgain();
    hub.f.until([&] { return dana.shows(hub, Ids{1, 2}); });
    std::filesystem::rename(dir.write("users.new", "dana::desk:\nwatcher::desk:\n"), dir.file("users"));
    hub.f.hub->readAccessAgain();
    hub.f.until([&] { return dana.shows(hub, everything()); });
    CHECK_FALSE(dana.streams[5].over);
}

TEST_CASE("a view of elements does not bring fields that the login may not have", "[hub][node][login-view]") {
    NumbersHub hub(CachePolicy::Rule::all, [](HubSettings& s) { s.userClasses[0].view = viewOf({1}); });
    hub.truth["A"] = numbered(10);
    RawConsumer c = hub.f.loggedIn("thin");
    Msg m = HubFixture::request(5, "A");
    reactor::GrowingBuffer room;
    codec::ElementListEncoder list;
    list.begin(room.start());
    rdm::View view;
    view.kind = rdm::View::Kind::elements;
    view.elements = {"X"};
    view.encode(list);
    REQUIRE(list.complete().ok());
    m.flags |= RequestFlag::view;
    m.containerType = codec::DataType::ElementList;
    m.payload = room.view();
    c.send(m);
    CHECK(NumbersHub::valuesOf(c.next().msg) == Values{{1, 11}});
    hub.update("A", {{1, 5}, {2, 6}});
    CHECK(NumbersHub::valuesOf(c.next().msg) == Values{{1, 5}});
}
