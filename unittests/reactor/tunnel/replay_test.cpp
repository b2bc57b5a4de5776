// Sessions recorded between other libraries: each end does what was recorded when it gets what the other one sent.
#include "fixture.h"
#include "support/paths.h"

#include <simdjson.h>

#include <fstream>

using namespace tunneltest;

namespace {

using simdjson::dom::element;
using simdjson::dom::object;

std::vector<object> linesOf(const std::string& scenario, std::vector<simdjson::dom::parser>& parsers) {
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
std::string textOf(const object& o, const char* key) {
    std::string_view text;
    return o[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}
std::int64_t numberOf(const object& o, const char* key) {
    return o[key].get_int64().value();
}
ClassOfService cosOf(const object& line) {
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

/// Runs one end of a recording. What both libraries are free to do differently is left out of the comparison:
/// acknowledgements, repeats, and the fins that follow the first.
struct Replay : Ground {
    TestWire wire;
    TestUser user;
    std::unique_ptr<End> end;
    const bool consumer;
    const std::string own, other;
    std::vector<std::string> recorded;
    std::deque<Block> submitted;  // what this end sends, taken from the recording
    std::uint8_t version = kStreamVersion;

    explicit Replay(bool c) : consumer(c), own(c ? "C>P" : "P>C"), other(c ? "P>C" : "C>P") {}

    /// The whole of a short message, the beginning of a long one and a sum of all its bytes.
    [[nodiscard]] static std::string text(Bytes message) {
        std::uint64_t sum = 14695981039346656037u;
        for (const std::byte b : message)
            sum = (sum ^ std::to_integer<std::uint64_t>(b)) * 1099511628211u;
        if (message.size() <= 300) return hex(message);
        return hex(message.first(40)) + "... " + std::to_string(message.size()) + " bytes, " + std::to_string(sum);
    }
    [[nodiscard]] static std::string essence(Bytes message, std::uint8_t version) {
        const Seen s(message, version);
        if (s.m.cls == MsgClass::Status) return "Status";  // its text is free
        if (s.m.cls != MsgClass::Generic) return shortLengths(hex(message));
        if (!s.header.isData()) return s.header.fin ? "fin " + std::to_string(s.header.seqNum) : "";
        return s.header.op == OpCode::data ? text(message) : "";
    }
    void add(std::vector<std::string>& to, std::string what) const {
        const bool fin = what.starts_with("fin ");
        if (what.empty() || (fin && std::find(to.begin(), to.end(), what) != to.end())) return;
        to.push_back(std::move(what));
    }
    /// Every message that this end is going to submit, in order.
    void readSubmitted(const std::vector<object>& lines) {
        Block whole;
        for (const object& line : lines) {
            if (textOf(line, "dir") != own || textOf(line, "proxy") == "injected" ||
                textOf(line, "proxy") == "repeated")
                continue;
            const Block bytes = unhex(textOf(line, "hex"));
            Msg m;
            REQUIRE(decodeMsg(bytes, m).ok());
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
    void act(const object& line) {
        const std::string action = textOf(line, "action");
        if (action == "open" && consumer) {
            ConsumerRequest r;
            r.identity = {static_cast<std::int32_t>(numberOf(line, "streamId")),
                          static_cast<std::uint8_t>(numberOf(line, "domain")),
                          static_cast<std::uint16_t>(numberOf(line, "serviceId")), textOf(line, "name")};
            if (r.identity.name.empty()) r.identity.name = "TunnelStream";
            r.classOfService = cosOf(line);
            r.login = login;
            r.responseTimeout = std::chrono::seconds(numberOf(line, "responseTimeout"));
            auto asking = std::make_unique<ConsumerEnd>(setting(wire), r, user);
            asking->start();
            end = std::move(asking);
        } else if (action == "accept") {
            REQUIRE_FALSE(dynamic_cast<ProviderEnd&>(*end).accept(
                cosOf(line), static_cast<std::uint32_t>(numberOf(line, "guaranteedOutputBuffers"))));
        } else if (action == "reject") {
            const object s = line["state"];
            const std::string text = textOf(s, "text");
            ClassOfService wanted;
            const bool hint = line["cos"].error() == simdjson::SUCCESS;
            if (hint) wanted = cosOf(line);
            REQUIRE_FALSE(dynamic_cast<ProviderEnd&>(*end).reject({static_cast<std::uint8_t>(numberOf(s, "stream")),
                                                                   static_cast<std::uint8_t>(numberOf(s, "data")), 0,
                                                                   eta::asBytes(text)},
                                                                  hint ? &wanted : nullptr));
        } else if (action == "close") {
            end->close(line["finalStatusEvent"].get_bool().value());
        } else if (action == "submit") {
            if (submitted.empty()) return;  // was refused, for its length
            const std::string type = textOf(line, "container");
            const DataType t = type == "Msg" ? DataType::Msg : type == "Xml" ? DataType::Xml : DataType::Opaque;
            if (submitted.front().size() != static_cast<std::size_t>(numberOf(line, "length"))) return;
            REQUIRE(end->submit(t, submitted.front()) == SubmitFault::none);
            submitted.pop_front();
        }
    }
    void receive(const Block& bytes) {
        Msg m;
        REQUIRE(decodeMsg(bytes, m).ok());
        if (!consumer && m.cls == MsgClass::Request) {
            ClassOfService cos;
            REQUIRE(decode(m.payload, cos).ok());
            end = std::make_unique<ProviderEnd>(
                setting(wire), Identity{m.streamId, m.domain, m.key.serviceId, std::string(eta::asText(m.key.name))},
                cos, user);
            return;
        }
        if (end) end->onMessage(m);
        if (end) end->flush();
    }
    Block login;
    void run(const std::string& scenario) {
        std::vector<simdjson::dom::parser> parsers;
        const std::vector<object> lines = linesOf(scenario, parsers);
        readSubmitted(lines);
        if (consumer && scenario.starts_with("auth")) {
            login = submitted.front();
            submitted.pop_front();
        }
        if (!consumer && scenario.starts_with("auth"))
            user.onMessage = [this, first = true](End& e) mutable {
                // The answer to the login is no action of the recording.
                if (!std::exchange(first, false)) return;
                REQUIRE(e.submit(DataType::Msg, submitted.front()) == SubmitFault::none);
                submitted.pop_front();
            };
        for (const object& line : lines) {
            const std::string by = textOf(line, "by"), proxy = textOf(line, "proxy");
            if (line["action"].error() == simdjson::SUCCESS) {
                if (by == (consumer ? "consumer" : "provider")) act(line);
                else if (by == "proxy" && textOf(line, "action") == "inject" && textOf(line, "dir") == other)
                    receive(unhex(textOf(line, "hex")));
                continue;
            }
            const std::string hexText = textOf(line, "hex");
            if (hexText.empty()) continue;
            const Block bytes = unhex(hexText);
            if (textOf(line, "dir") == own) {
                if (proxy != "injected" && proxy != "repeated") add(recorded, essence(bytes, version));
                continue;
            }
            if (proxy == "dropped") continue;
            receive(bytes);
        }
        pass(10s);  // a close of ours ends, whatever the other one did
        std::vector<std::string> ours;
        for (const Block& message : wire.out)
            add(ours, essence(message, version));
        CHECK(ours == recorded);
    }
};

}  // namespace

TEST_CASE("the consumer's end does what was recorded", "[tunnel]") {
    const std::string scenario =
        GENERATE("open-close", "open-close-quiet", "close-provider", "close-with-data", "auth-flow", "auth-demanded",
                 "sizes", "loss-consumer-data", "loss-provider-data", "loss-fragment", "repeat-reorder", "window",
                 "window-buffers", "reject-closed", "reject-redirect", "version-1");
    INFO(scenario);
    Replay(true).run(scenario);
}

TEST_CASE("the provider's end does what was recorded", "[tunnel]") {
    const std::string scenario =
        GENERATE("open-close", "open-close-quiet", "close-provider", "close-with-data", "auth-flow", "auth-demanded",
                 "sizes", "loss-consumer-data", "loss-provider-data", "loss-fragment", "repeat-reorder", "window",
                 "window-buffers", "reject-closed", "reject-redirect", "version-1");
    INFO(scenario);
    Replay(false).run(scenario);
}
