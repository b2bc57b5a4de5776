// Clients of a fan-out whose updates wait, joined: what such a client knows in the end, beside one that always reads.
#pragma once

#include "fixture.h"

#include "eta/dictionary/Dictionary.h"
#include "eta/json/support.h"
#include "hub/conflate/PendingUpdates.h"
#include "support/StillClock.h"

#include <map>

namespace emissary::test {

using namespace std::chrono_literals;

/// What a client that reads everything knows in the end.
struct Known {
    std::map<std::int32_t, std::map<int, std::uint64_t>> fields;  ///< by stream and field
    std::map<std::int32_t, std::vector<std::string>> order;       ///< of a stream: "1" for a quote, "2" for a trade
    std::vector<int> states;                                      ///< codes on the login stream
    std::vector<std::string> texts;                               ///< and their texts
    std::uint64_t updates = 0, joined = 0;                        ///< joined: sum of the conflation counts
};

/// A client with a little room, and one that always reads.
struct Joining : FanOutFixture {
    static constexpr char kFields[] = R"(!tag Filename  RWF.DAT
!tag Type      1
BID        "BID"        22  NULL  PRICE  17  UINT64       8
ASK        "ASK"        25  NULL  PRICE  17  UINT64       8
)";
    static constexpr std::int32_t kLogin = 1;

    static SlowRules rules(std::size_t mostJoined = 200'000) {
        return {.behindAbove = 20'000,
                .behindBelow = 10'000,
                .disconnectAbove = 50'000'000,
                .mostJoined = mostJoined,
                .joinedTypes = HubSettings{}.conflateTypes};
    }

    explicit Joining(bool json, const SlowRules& of = rules(), reactor::ReactorOptions options = {})
        : FanOutFixture(of, std::move(options)), slow(admitted(json)), quick(admitted(json)) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields(kFields, "fields"));
        locked([&] { out->setDictionary(d); });
    }
    Peer& admitted(bool json) {
        Peer& p = connect(json, 8192);
        locked([&] { out->admit(*p.client); });
        p.client->loginStream = kLogin;
        return p;
    }
    /// `fields`: id and value.
    void update(std::uint8_t type, const std::vector<std::pair<std::int16_t, std::uint64_t>>& fields) {
        std::vector<std::byte> room(256);
        eta::BeWriter writer(room);
        codec::FieldListEncoder list;
        list.begin(writer);
        for (const auto& [id, value] : fields)
            list.addUInt(id, value);
        REQUIRE(list.complete().ok());
        codec::Msg m = test::update(writer.view());
        m.updateType = type;
        send(m);
        turn();
    }
    void readAll(Peer& p, Known& known) {
        for (;;) {
            const eta::transport::ReadResult r = read(p);
            if (r.kind != eta::transport::ReadResult::Kind::message) return;
            if (p.client->json) {
                const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
                take(texts, known);
                continue;
            }
            codec::Msg m;
            REQUIRE(codec::decodeMsg(r.message, m).ok());
            if (m.cls == codec::MsgClass::Status) {
                known.states.push_back(m.state.code);
                known.texts.emplace_back(eta::asText(m.state.text));
            }
            if (m.cls != codec::MsgClass::Update) continue;
            ++known.updates;
            known.joined += m.has(codec::UpdateFlag::confInfo) ? m.conflationCount : 1;
            known.order[m.streamId].push_back(std::to_string(m.updateType));
            codec::FieldListDecoder list;
            REQUIRE(list.start(m.payload).ok());
            for (codec::FieldEntry e; list.next(e);) {
                std::uint64_t v = 0;
                REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
                known.fields[m.streamId][e.fieldId] = v;
            }
        }
    }
    static void take(const json_test::Json& texts, Known& known) {
        for (const json_test::Json& one : texts.items.empty() ? std::vector<json_test::Json>{texts} : texts.items) {
            const std::string type = one.at("Type").text;
            if (type == "Status") {
                known.states.push_back(one.at("State").at("Code").text == "JitConflationStarted" ? 7 : 8);
                known.texts.push_back(one.at("State").at("Text").text);
                CHECK(one.at("Domain").text == "Login");
            }
            if (type != "Update") continue;
            const auto stream = static_cast<std::int32_t>(std::stoi(one.at("ID").text));
            ++known.updates;
            known.joined +=
                one.find("ConflationInfo") != nullptr ? std::stoul(one.at("ConflationInfo").at("Count").text) : 1;
            known.order[stream].push_back(one.at("UpdateType").text == "Trade" ? "2" : "1");
            for (const auto& [name, value] : one.at("Fields").members)
                known.fields[stream][name == "BID" ? 22 : 25] = std::stoull(value.text);
        }
    }
    /// The slow one reads nothing until it is behind.
    void beBehind() {
        until([&] {
            update(kQuote, {{22, ++value}});
            readAll(quick, fast);
            return slow.client->behind == true;
        });
    }

    Peer &slow, &quick;
    std::uint64_t value = 0;
    Known fast;  ///< of `quick`
};

}  // namespace emissary::test
