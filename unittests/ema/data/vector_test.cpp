// Golden vectors through the public API: built with it they give the vectors' bytes, read with it their values.
#include "Ema.h"
#include "eta/codec/model/json.h"
#include "model.h"
#include "support.h"

using namespace ematest;
using codec::model::forEachVector;
using GoldenVector = codec::model::Vector;

namespace {

/// Bytes of an update that carries the container, as they would arrive.
std::vector<std::byte> inUpdate(codec::DataType type, Bytes payload) {
    codec::Msg msg;
    msg.containerType = type;
    msg.payload = payload;
    std::vector<std::byte> block(codec::maxEncodedSize(msg) + 16);
    emissary::eta::BeWriter out{{block.data(), block.size()}};
    REQUIRE(codec::encodeMsg(out, msg).ok());
    block.resize(out.size());
    return block;
}

std::string readMessage(const GoldenVector& v, const Dictionary& fields) {
    const auto head = codec::peekMsg(v.bytes);
    REQUIRE(head.ok());
    switch (head.value().cls) {
    case codec::MsgClass::Request:
        return flat(*ReceivedMsg<ReqMsg>(v.bytes, &fields));
    case codec::MsgClass::Refresh:
        return flat(*ReceivedMsg<RefreshMsg>(v.bytes, &fields));
    case codec::MsgClass::Status:
        return flat(*ReceivedMsg<StatusMsg>(v.bytes, &fields));
    case codec::MsgClass::Update:
        return flat(*ReceivedMsg<UpdateMsg>(v.bytes, &fields));
    case codec::MsgClass::Ack:
        return flat(*ReceivedMsg<AckMsg>(v.bytes, &fields));
    case codec::MsgClass::Generic:
        return flat(*ReceivedMsg<GenericMsg>(v.bytes, &fields));
    case codec::MsgClass::Post:
        return flat(*ReceivedMsg<PostMsg>(v.bytes, &fields));
    case codec::MsgClass::Close:
        break;
    }
    return {};
}

/// How many of the file's vectors could be read (one type a field; definitions inside).
int readAll(const std::string& file) {
    int read = 0;
    forEachVector(file, [&](const GoldenVector& v) {
        if (v.kind != "container" || v.setDb) return;
        const auto fields = dictionaryOf(*v.value);
        if (!fields) return;
        INFO(v.name);
        ++read;
        const ReceivedMsg<UpdateMsg> msg(inUpdate(v.type, v.bytes), &*fields);
        CHECK(flat(msg->getPayload().getData()) == flat(*v.value));
    });
    return read;
}

int buildAll(const std::string& file, Nesting nesting) {
    int built = 0;
    forEachVector(file, [&](const GoldenVector& v) {
        if (!v.canonical || v.setDb || v.kind == "primitive" || !v.value || !expressible(*v.value)) return;
        if (v.type == codec::DataType::NoData) return;
        INFO(v.name);
        ++built;
        const std::unique_ptr<ComplexType> object = build(*v.value, nesting);
        CHECK(hex(*object) == hex(emissary::eta::asText(v.bytes)));
    });
    return built;
}

}  // namespace

TEST_CASE("golden containers are built byte for byte", "[ema][vectors]") {
    CHECK(buildAll("containers.jsonl", Nesting::ready) == 142);
    CHECK(buildAll("containers.jsonl", Nesting::inPlace) == 142);
}

TEST_CASE("golden messages are built byte for byte", "[ema][vectors]") {
    CHECK(buildAll("messages.jsonl", Nesting::ready) == 282);
    CHECK(buildAll("messages.jsonl", Nesting::inPlace) == 282);
}

TEST_CASE("golden containers are read as what they are", "[ema][vectors]") {
    CHECK(readAll("containers.jsonl") == 228);
}

TEST_CASE("golden containers with set data are read as what they are", "[ema][vectors]") {
    CHECK(readAll("containers_set.jsonl") == 49);
}

TEST_CASE("golden messages are read as what they are", "[ema][vectors]") {
    int read = 0;
    forEachVector("messages.jsonl", [&](const GoldenVector& v) {
        const auto fields = dictionaryOf(*v.value);
        const bool close = v.value->msg.front().header.cls == codec::MsgClass::Close;
        if (!fields || close) return;
        INFO(v.name);
        ++read;
        CHECK(readMessage(v, *fields) == flat(*v.value));
    });
    CHECK(read == 389);
}
