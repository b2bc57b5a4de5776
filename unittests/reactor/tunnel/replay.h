// One end of a tunnel, driven by what was recorded between other libraries.
#pragma once

#include "fixture.h"
#include "support/paths.h"

#include <simdjson.h>

#include <algorithm>
#include <fstream>

namespace tunneltest {

using simdjson::dom::object;

inline std::vector<object> linesOf(const std::string& scenario, std::vector<simdjson::dom::parser>& parsers) {
    std::ifstream file(test::vectorPath(("/tunnel/" + scenario + ".jsonl").c_str()));
    REQUIRE(file);
    std::vector<std::string> texts;
    for (std::string line; std::getline(file, line);)
        texts.push_back(std::move(line));
    parsers = std::vector<simdjson::dom::parser>(texts.size());
    std::vector<object> lines;
    for (std::size_t i = 0; i < texts.size(); ++i)
        lines.push_back(parsers[i].parse(texts[i]).get_object().value());
    return lines;
}
inline std::string textOf(const object& o, const char* key) {
    std::string_view text;
    return o[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}
inline std::int64_t numberOf(const object& o, const char* key) {
    return o[key].get_int64().value();
}
inline ClassOfService cosOf(const object& line) {
    const object c = line["cos"];
    ClassOfService cos;
    cos.maxMsgSize = static_cast<std::uint64_t>(numberOf(c, "maxMsgSize"));
    cos.maxFragmentSize = static_cast<std::uint64_t>(numberOf(c, "maxFragmentSize"));
    cos.protocolType = static_cast<std::uint8_t>(numberOf(c, "protocolType"));
    cos.protocolMajorVersion = static_cast<std::uint8_t>(numberOf(c, "protocolMajorVersion"));
    cos.protocolMinorVersion = static_cast<std::uint8_t>(numberOf(c, "protocolMinorVersion"));
    cos.authentication = static_cast<std::uint8_t>(numberOf(c, "authentication"));
    cos.flowControl = static_cast<std::uint8_t>(numberOf(c, "flowControl"));
    cos.recvWindowSize = numberOf(c, "recvWindowSize");
    cos.dataIntegrity = static_cast<std::uint8_t>(numberOf(c, "dataIntegrity"));
    cos.guarantee = static_cast<std::uint8_t>(numberOf(c, "guarantee"));
    return cos;
}

/// What the two ends of a recording are made to do, and where ours do something else on purpose.
struct Scenario {
    std::string name;
    bool consumer = true, provider = true;
    /// The other end of the connection was the application's as well: what this one does follows its own messages.
    bool byWire = false;
    /// Fragments have sizes of their own: whole messages are compared.
    bool merged = false;
    /// Which of several tunnels, in the order of opening.
    std::size_t nth = 0;
    std::int32_t streamId = 1001;
    /// What ours sends in the place of the last messages that were recorded, or after all of them.
    std::size_t without = 0;
    std::vector<std::string> instead{};
};

/// Runs one end of a recording. What both libraries are free to do differently is left out of the comparison:
/// acknowledgements, repeats, and the fins that follow the first.
struct Replay : Ground {
    TestWire wire;
    TestUser user;
    std::unique_ptr<End> end;
    const Scenario scenario;
    const bool consumer;
    const std::string own, other;
    std::vector<std::string> recorded;
    std::deque<Block> submitted;  // what this end sends, taken from the recording
    Block login, held;            // held back on the way here
    std::uint8_t version = kStreamVersion;
    std::size_t accepts = 0, closes = 0;
    bool peerCloses = false;
    std::string refusal;  // of what the application asked for

    Replay(Scenario which, bool c)
        : scenario(std::move(which)), consumer(c), own(c ? "C>P" : "P>C"), other(c ? "P>C" : "C>P") {}

    /// The whole of a short message, the beginning of a long one and a sum of all its bytes.
    [[nodiscard]] static std::string text(Bytes message) {
        std::uint64_t sum = 14695981039346656037u;
        for (const std::byte b : message)
            sum = (sum ^ std::to_integer<std::uint64_t>(b)) * 1099511628211u;
        if (message.size() <= 300) return hex(message);
        return hex(message.first(40)) + "... " + std::to_string(message.size()) + " bytes, " + std::to_string(sum);
    }
    /// What a request or a refresh says, whichever way it is written.
    [[nodiscard]] static std::string meaning(const Msg& m) {
        ClassOfService cos;
        REQUIRE(decode(m.payload, cos).ok());
        std::array<std::byte, 1024> room{};
        eta::BeWriter out{room};
        REQUIRE(encode(out, cos, m.cls == MsgClass::Request ? Writer::consumer : Writer::provider).ok());
        return std::string(eta::codec::name(m.cls)) + " " + std::to_string(m.streamId) + " d" +
               std::to_string(m.domain) + " s" + std::to_string(m.key.serviceId) + " " +
               std::string(eta::asText(m.key.name)) + " " + hex(out.view());
    }
    [[nodiscard]] std::string essence(const Seen& s, Bytes message) const {
        if (s.m.cls == MsgClass::Status) return "Status";  // its text is free
        if (s.m.cls == MsgClass::Close && s.m.flags == 0 && s.m.containerType == DataType::NoData) return "Close";
        if (s.m.cls != MsgClass::Generic) return scenario.byWire ? meaning(s.m) : shortLengths(hex(message));
        if (!s.header.isData()) return s.header.fin ? "fin " + std::to_string(s.header.seqNum) : "";
        return s.header.op == OpCode::data ? text(message) : "";
    }
    /// One side's messages, as they are compared.
    struct Said {
        std::vector<std::string> lines;
        Block whole;
    };
    void add(Said& to, Bytes message) const {
        const Seen s(message, version);
        std::string what = essence(s, message);
        if (what.empty()) return;
        if (scenario.merged && s.m.cls == MsgClass::Generic) {
            if (s.header.isData()) {
                to.whole.insert(to.whole.end(), s.m.payload.begin(), s.m.payload.end());
                if (s.header.fragment && to.whole.size() < s.header.totalBytes) return;
                what = text(std::exchange(to.whole, {}));
            } else {
                what = "fin ";  // the number follows that of the fragments
            }
        }
        if (what.starts_with("fin ") && std::find(to.lines.begin(), to.lines.end(), what) != to.lines.end()) return;
        to.lines.push_back(std::move(what));
    }
    /// Every message that this end is going to submit, in order.
    void readSubmitted(const std::vector<object>& lines) {
        Block whole;
        for (const object& line : lines) {
            if (textOf(line, "dir") != own || textOf(line, "proxy") == "injected" ||
                textOf(line, "proxy") == "repeated" || line["action"].error() == simdjson::SUCCESS)
                continue;
            const Block bytes = unhex(textOf(line, "hex"));
            Msg m;
            REQUIRE(decodeMsg(bytes, m).ok());
            if (m.streamId != scenario.streamId) continue;
            if (m.cls == MsgClass::Refresh || m.cls == MsgClass::Request) {
                ClassOfService cos;
                if (decode(m.payload, cos).ok()) version = cos.streamVersion;
            }
            if (m.cls != MsgClass::Generic) continue;
            Header h;
            REQUIRE(decodeHeader(m.extendedHeader, version, h).ok());
            if (h.op != OpCode::data) continue;
            whole.insert(whole.end(), m.payload.begin(), m.payload.end());
            if (!h.fragment || whole.size() == h.totalBytes) submitted.push_back(std::exchange(whole, {}));
        }
    }

    // --- the application's calls
    void open(ConsumerRequest r) {
        if (end) return void(refusal = "TunnelStream is already open");  // ids are the role's affair
        if (refusal = whyRefused(r); !refusal.empty()) return;
        auto asking = std::make_unique<ConsumerEnd>(setting(wire), std::move(r), user);
        asking->start();
        end = std::move(asking);
    }
    void submit(DataType type) {
        REQUIRE(end->submit(type, submitted.front()) == SubmitFault::none);
        submitted.pop_front();
    }
    void accept(const ClassOfService& cos, std::uint32_t buffers) {
        REQUIRE_FALSE(dynamic_cast<ProviderEnd&>(*end).accept(cos, buffers));
    }
    void act(const object& line) {
        const std::string action = textOf(line, "action");
        if (action == "open" && consumer) {
            ConsumerRequest r;
            r.identity = {static_cast<std::int32_t>(numberOf(line, "streamId")),
                          static_cast<std::uint8_t>(numberOf(line, "domain")),
                          static_cast<std::uint16_t>(numberOf(line, "serviceId")), textOf(line, "name")};
            if (r.identity.streamId != scenario.streamId) return;
            if (r.identity.name.empty()) r.identity.name = "TunnelStream";
            r.classOfService = cosOf(line);
            r.login = login.empty() ? loginRequest() : login;
            r.responseTimeout = std::chrono::seconds(numberOf(line, "responseTimeout"));
            open(std::move(r));
        } else if (action == "openRefused") {
            INFO(refusal);
            CHECK(refusal.starts_with(textOf(line, "text").substr(0, 27)));
        } else if (action == "accept") {
            if (accepts++ != scenario.nth) return;
            accept(cosOf(line), static_cast<std::uint32_t>(numberOf(line, "guaranteedOutputBuffers")));
        } else if (action == "reject") {
            reject(line);
        } else if (action == "close") {
            if (closes++ == scenario.nth) end->close(line["finalStatusEvent"].get_bool().value());
        } else if (action == "submit") {
            if (submitted.empty() || end->ended()) return;  // was refused, for its length
            const std::string type = textOf(line, "container");
            if (submitted.front().size() == static_cast<std::size_t>(numberOf(line, "length")))
                submit(type == "Msg" ? DataType::Msg : type == "Xml" ? DataType::Xml : DataType::Opaque);
        }
    }
    void reject(const object& line) {
        const object s = line["state"];
        const std::string why = textOf(s, "text");
        ClassOfService wanted;
        const bool hint = line["cos"].error() == simdjson::SUCCESS;
        if (hint) wanted = cosOf(line);
        REQUIRE_FALSE(dynamic_cast<ProviderEnd&>(*end).reject({static_cast<std::uint8_t>(numberOf(s, "stream")),
                                                               static_cast<std::uint8_t>(numberOf(s, "data")), 0,
                                                               eta::asBytes(why)},
                                                              hint ? &wanted : nullptr));
    }
    /// The message that this end is going to send says what its application did.
    void drive(const Seen& s) {
        ClassOfService cos;
        switch (s.m.cls) {
        case MsgClass::Request: {
            ConsumerRequest r;
            REQUIRE(decode(s.m.payload, cos).ok());
            r.identity = {s.m.streamId, s.m.domain, s.m.key.serviceId, std::string(eta::asText(s.m.key.name))};
            r.classOfService = cos;
            r.login = login = submitted.front();
            submitted.pop_front();
            return open(std::move(r));
        }
        case MsgClass::Refresh:
            REQUIRE(decode(s.m.payload, cos).ok());
            return accept(cos, 50);
        case MsgClass::Generic:
            if (s.header.fin && !peerCloses) end->close(false);
            if (!s.header.isData() || Bytes(login).size() == s.m.payload.size()) return;
            return submit(s.m.containerType);
        default:
            return;
        }
    }

    // --- the other end's messages
    void receive(const Block& bytes) {
        Msg m;
        REQUIRE(decodeMsg(bytes, m).ok());
        if (m.streamId != scenario.streamId) return;
        if (!consumer && m.cls == MsgClass::Request) {
            ClassOfService cos;
            REQUIRE(decode(m.payload, cos).ok());
            end = std::make_unique<ProviderEnd>(
                setting(wire), Identity{m.streamId, m.domain, m.key.serviceId, std::string(eta::asText(m.key.name))},
                cos, user);
            return;
        }
        peerCloses = peerCloses || (m.cls == MsgClass::Generic && Seen(bytes, version).header.fin);
        if (end) end->onMessage(m);
        if (end) end->flush();
    }
    void run() {
        std::vector<simdjson::dom::parser> parsers;
        const std::vector<object> lines = linesOf(scenario.name, parsers);
        readSubmitted(lines);
        const bool hasLogin = scenario.name.starts_with("auth");
        if (consumer && hasLogin) {
            login = submitted.front();
            submitted.pop_front();
        }
        if (!consumer && hasLogin)
            user.onMessage = [this, first = true](End&) mutable {
                // The answer to the login is no action of the recording.
                if (std::exchange(first, false) && !submitted.empty()) submit(DataType::Msg);
            };
        Said due, said;
        for (const object& line : lines) {
            const bool action = line["action"].error() == simdjson::SUCCESS;
            if (action && textOf(line, "by") == "proxy") atProxy(line);
            else if (action && !scenario.byWire && textOf(line, "by") == (consumer ? "consumer" : "provider"))
                act(line);
            if (!action && !textOf(line, "hex").empty()) message(line, due);
        }
        for (int i = 0; i < 100; ++i)
            pass(100ms);  // a close of ours ends, whatever the other one did
        for (const Block& message : wire.out)
            add(said, message);
        due.lines.resize(due.lines.size() - scenario.without);
        due.lines.insert(due.lines.end(), scenario.instead.begin(), scenario.instead.end());
        CHECK(said.lines == due.lines);
    }
    void atProxy(const object& line) {
        const std::string action = textOf(line, "action");
        if (action == "inject" && textOf(line, "dir") == other) receive(unhex(textOf(line, "hex")));
        if (action == "release" && !held.empty()) receive(std::exchange(held, {}));
        if (action == "cut") dynamic_cast<End&>(*end).onConnectionLost();
    }
    void message(const object& line, Said& due) {
        const Block bytes = unhex(textOf(line, "hex"));
        const std::string proxy = textOf(line, "proxy");
        if (textOf(line, "dir") != own) {
            if (proxy == "dropped") held = bytes;
            else receive(bytes);
            return;
        }
        const Seen s(bytes, version);
        if (proxy == "injected" || proxy == "repeated" || s.m.streamId != scenario.streamId) return;
        if (scenario.byWire) drive(s);
        add(due, bytes);
    }
};

}  // namespace tunneltest
