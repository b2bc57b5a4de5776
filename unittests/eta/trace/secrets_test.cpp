// Tokens and passwords do not stand in traces, whatever carries them (xml-trace.md 7).
#include "samples.h"

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/model/json.h"
#include "eta/trace/SecretMask.h"
#include "eta/trace/XmlTrace.h"
#include "eta/transport/Channel.h"
#include "support/catch.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace trace_test;
using namespace emissary::eta;
using namespace emissary::eta::codec;
using emissary::eta::trace::SecretMask;
using Event = transport::MessageTrace::Event;
using ByteVector = std::vector<std::byte>;

namespace {

constexpr std::string_view kSecret = "eyJhbGciOi-very-secret";

std::string textOf(Bytes bytes) {
    return std::string(asText(bytes));
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

template <class Fill>
ByteVector elements(Fill&& fill) {
    ByteVector room(4000);
    BeWriter out(room);
    ElementListEncoder list;
    list.begin(out);
    fill(list);
    REQUIRE(list.complete().ok());
    room.resize(out.size());
    return room;
}

ByteVector encoded(const Msg& msg) {
    ByteVector room(8000);
    BeWriter out(room);
    REQUIRE(encodeMsg(out, msg).ok());
    room.resize(out.size());
    return room;
}

/// A request with attributes.
ByteVector request(std::uint8_t domain, std::uint8_t nameType, std::string_view name, Bytes attributes) {
    Msg msg;
    msg.cls = MsgClass::Request;
    msg.domain = domain;
    msg.streamId = 1;
    msg.flags = RequestFlag::streaming;
    msg.key.flags = KeyFlag::name | KeyFlag::nameType;
    msg.key.name = asBytes(name);
    msg.key.nameType = nameType;
    if (!attributes.empty()) {
        msg.key.flags |= KeyFlag::attrib;
        msg.key.attribType = DataType::ElementList;
        msg.key.attrib = attributes;
    }
    return encoded(msg);
}

/// What one trace writes of these messages, hex and all.
std::string traced(std::uint8_t protocol, const std::vector<ByteVector>& messages) {
    char folder[] = "/tmp/emissary_secrets_XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    trace::XmlTraceOptions options;
    options.toFile = options.hex = true;
    options.fileName = std::string(folder) + "/trace";
    transport::ChannelInfo info;
    info.protocolType = protocol;
    {
        const auto source = trace::makeXmlTrace(options, [](trace::TraceNotice, const std::string&) {});
        const auto one = source->open(info, 3);
        REQUIRE(one != nullptr);
        for (std::size_t i = 0; i < messages.size(); ++i)
            one->tell(i % 2 == 0 ? Event::outgoing : Event::incoming, messages[i]);
    }
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        std::ifstream in(file.path(), std::ios::binary);
        all.append(std::istreambuf_iterator<char>(in), {});
    }
    std::filesystem::remove_all(folder);
    return all;
}

/// Neither as text nor as digits of a dump, which stand in groups.
bool shows(const std::string& trace, std::string_view secret) {
    std::string digits, wanted;
    for (const char c : trace)
        if (c != ' ' && c != '\n') digits += c;
    for (const char c : secret) {
        char two[3];
        std::snprintf(two, sizeof two, "%02X", static_cast<unsigned char>(c));
        wanted += two;
    }
    return has(trace, secret) || has(digits, wanted);
}

ByteVector bytes(std::string_view text) {
    const Bytes b = asBytes(text);
    return {b.begin(), b.end()};
}

}  // namespace

TEST_CASE("secrets: elements with the name of a secret, in logins and elsewhere", "[trace][secrets]") {
    const char* const name = GENERATE("AuthenticationToken", "AuthenticationExtended", "Password", "PASSWORD",
                                      "userPasswd", "ClientSecret", "RefreshToken");
    const std::uint8_t domain = GENERATE(std::uint8_t{1}, std::uint8_t{6});
    INFO(name << " in domain " << int{domain});
    const ByteVector attributes = elements([&](ElementListEncoder& list) {
        list.addAscii("ApplicationId", "256");
        list.add(name, DataType::Buffer, asBytes(kSecret));
        list.addAscii("Position", "127.0.0.1/net");
    });
    const ByteVector message = request(domain, 1, "user", attributes);
    SecretMask mask;
    const Bytes masked = mask.rwf(message);
    CHECK_FALSE(has(textOf(masked), kSecret));
    CHECK(has(textOf(masked), std::string(kSecret.size(), '*')));
    CHECK(has(textOf(masked), "127.0.0.1/net"));
    CHECK(masked.size() == message.size());
    CHECK(has(textOf(message), kSecret));  // what is sent stays as it is
    Error error;
    CHECK(has(xmlOf(masked, error), name));
    CHECK(error.ok());
    const std::string all = traced(transport::kProtocolRwf, {message});
    CHECK_FALSE(shows(all, kSecret));
    CHECK(shows(all, "127.0.0.1/net"));
}

TEST_CASE("secrets: the name of a login is one by its type, and is known again in answers", "[trace][secrets]") {
    const std::uint8_t type = GENERATE(std::uint8_t{3}, std::uint8_t{4}, std::uint8_t{5});
    const ByteVector login = request(1, type, kSecret, {});
    Msg refresh;
    refresh.cls = MsgClass::Refresh;
    refresh.domain = 1;
    refresh.streamId = 1;
    refresh.flags = RefreshFlag::msgKey | RefreshFlag::complete;
    refresh.key.flags = KeyFlag::name;  // without its type
    refresh.key.name = asBytes(kSecret);
    const std::string text = "login of " + std::string(kSecret) + " accepted";
    refresh.state = {StreamState::open, DataState::ok, 0, asBytes(text)};
    const std::string all = traced(transport::kProtocolRwf, {login, encoded(refresh)});
    CHECK_FALSE(shows(all, kSecret));
    CHECK(has(all, "login of ****"));
    // Such a name is an ordinary one of an item, and of a user.
    for (const ByteVector& open : {request(6, type, kSecret, {}), request(1, 1, kSecret, {})})
        CHECK(shows(traced(transport::kProtocolRwf, {open}), kSecret));
}

TEST_CASE("secrets: at any depth, in set data, arrays and other types", "[trace][secrets]") {
    const ByteVector inner =
        request(1, 5, kSecret, elements([](ElementListEncoder& list) { list.addAscii("Password", kSecret); }));
    Msg post;
    post.cls = MsgClass::Post;
    post.domain = 6;
    post.streamId = 5;
    post.containerType = DataType::Msg;
    post.payload = inner;
    CHECK_FALSE(shows(traced(transport::kProtocolRwf, {encoded(post)}), kSecret));

    const ByteVector nested = elements([&](ElementListEncoder& list) {
        list.beginElement("Account", DataType::ElementList);
        ElementListEncoder deeper;
        deeper.begin(list.writer());
        deeper.addAscii("password", kSecret);
        REQUIRE(deeper.complete().ok());
        list.endElement();
        list.addUInt("TokenNumber", 0x31323334);
        list.add("Login", DataType::Xml, asBytes(std::string("<Login Password=\"") + std::string(kSecret) + "\"/>"));
    });
    const std::string all = traced(transport::kProtocolRwf, {request(127, 1, "A", nested)});
    CHECK_FALSE(shows(all, kSecret));
    CHECK_FALSE(has(all, "825373492"));
    CHECK(has(all, "TokenNumber"));
    // Running text that speaks of tokens is none.
    const ByteVector story = elements([](ElementListEncoder& list) {
        list.add("Story", DataType::Xml, asBytes("tokenised bonds and password managers"));
    });
    CHECK(shows(traced(transport::kProtocolRwf, {request(13, 1, "N", story)}), "tokenised bonds"));
}

TEST_CASE("secrets: what is cut anywhere shows none", "[trace][secrets]") {
    const ByteVector attributes = elements([](ElementListEncoder& list) {
        list.addAscii("ApplicationId", "256");
        list.addAscii("AuthenticationToken", kSecret);
    });
    const ByteVector whole = request(1, 1, "user", attributes);
    const auto at = textOf(whole).find(kSecret);
    for (std::size_t n = 0; n < whole.size(); ++n) {
        INFO(n);
        const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
        const std::string all = traced(transport::kProtocolRwf, {cut});
        if (n > at + 4) CHECK_FALSE(shows(all, kSecret.substr(0, n - at)));
        ByteVector damaged = whole;
        damaged[n] ^= std::byte{0x80};
        if (n >= at || n == 3) continue;  // another domain, or another secret
        if (const auto name = textOf(whole).find("AuthenticationToken"); n >= name && n < name + 19) continue;
        CHECK_FALSE(shows(traced(transport::kProtocolRwf, {damaged}), kSecret));
    }
}

TEST_CASE("secrets: of JSON connections", "[trace][secrets]") {
    const std::string secret(kSecret);
    const std::array<std::string, 11> texts{
        R"({"ID":1,"Domain":"Login","Key":{"Name":"user","Elements":{"ApplicationId":"256","AuthenticationToken":")" +
            secret + R"("}}})",
        R"([{"Domain":"Login","ID":1,"Key":{"NameType":"AuthnToken","Name":")" + secret + R"("}}])",
        R"({"ID":1,"Key":{"Name":")" + secret + R"(","NameType":"Cookie"},"Domain":"Login"})",
        R"({"ID":1,"Key":{"Name":")" + secret + R"(","NameType":5},"Domain":1})",
        R"({"ID":1,"Key":{"Name":")" + secret + R"(","NameType":3.0},"Domain":10e-1})",
        R"({"ID":3,"Key":{"Name":"A","Elements":{"Password":{"Type":"AsciiString","Data":")" + secret + R"("}}}})",
        R"({"ID":3,"Elements":{"passwords":{"Type":"Array","Data":["x\"y",")" + secret + R"("]}}})",
        R"({"ID":1,"Domain":"Login","Key":{"Elements":{"Authentication\u0054oken":")" + secret + R"("}}})",
        R"({"ID":1,"Domain":"Login","Key: {"Elements":{"AuthenticationToken":")" + secret + R"("}}})",
        R"({"ID":1,"Domain":"Login","Key":{"Elements":{"AuthenticationToken":")" + secret,
        std::string(500, '[') + R"({"Password":")" + secret + R"("})"};
    for (const std::string& text : texts) {
        INFO(text);
        SecretMask mask;
        const std::string masked = textOf(mask.json(asBytes(text)));
        CHECK(masked.size() == text.size());
        CHECK_FALSE(has(masked, secret));
        CHECK_FALSE(shows(traced(transport::kProtocolJson, {bytes(text)}), secret));
    }
    // The provider's answer repeats the name and says no type; what is not secret stays.
    const std::string answer = R"({"ID":1,"Type":"Refresh","Domain":"Login","Key":{"Name":")" + secret + R"("}})";
    CHECK_FALSE(shows(traced(transport::kProtocolJson, {bytes(texts[1]), bytes(answer)}), secret));
    for (const std::string plain :
         {R"({"ID":5,"Key":{"Name":"TOKEN.N","Service":1}})", R"({"ID":1,"Domain":"Login","Key":{"Name":"user"}})",
          R"({"ID":5,"Type":"Update","Fields":{"HEADLINE":"Password: managers and tokens","BID":3.25}})"}) {
        SecretMask mask;
        CHECK(textOf(mask.json(asBytes(plain))) == plain);
    }
}

TEST_CASE("secrets: a protocol that nobody knows", "[trace][secrets]") {
    CHECK_FALSE(shows(traced(9, {bytes("\1\2password=" + std::string(kSecret))}), kSecret));
    CHECK(shows(traced(9, {bytes("\1\2 nothing of the kind")}), "nothing of the kind"));
}

TEST_CASE("secrets: what has none is handed on without a copy", "[trace][secrets]") {
    SecretMask mask;
    std::size_t same = 0, all = 0;
    for (const char* file : {"messages.jsonl", "containers.jsonl"})
        model::forEachVector(file, [&](const model::Vector& v) {
            if (v.kind != "msg" && v.kind != "container") return;
            const Bytes masked = mask.rwf(v.bytes, v.type);
            REQUIRE(masked.size() == v.bytes.size());
            ++all;
            if (masked.data() == v.bytes.data()) ++same;
            Msg msg;  // a good message is good without its secrets
            if (v.kind == "msg") CHECK(decodeMsg(masked, msg).ok());
            CHECK(validate(masked, v.type).ok() == validate(v.bytes, v.type).ok());
        });
    CHECK(all > 600);
    CHECK(same > all * 9 / 10);
}
