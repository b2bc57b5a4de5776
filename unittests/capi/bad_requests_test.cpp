// What a provider answers to requests without a name, to views with blanks, and to posts that cannot be decoded.
#include "capi/CProvider.h"

#include "Ema.h"
#include "reactor/json/fixture.h"
#include "support/RawConsumer.h"

#include <string_view>

namespace emissary::test {

using namespace refinitiv::ema::access;

TEST_CASE("A request without a name is refused, and a reissue without one is answered", "[capi][provider]") {
    CProvider provider(true);
    provider.publish("A.X", {value("BID", EMI_REAL, 150, 12), value("ASK", EMI_REAL, 160, 12)});
    TextClient client(webSocketTo(static_cast<std::uint16_t>(std::stoi(provider.port))), [] {});
    client.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"u","Elements":{"ApplicationId":"256"}}})");
    CHECK(client.next("ID", "1").at("Type").text == "Refresh");
    client.send(R"({"ID":3,"Key":{"Service":1}})");
    const auto refused = client.next("ID", "3");
    CHECK(refused.at("Type").text == "Status");
    CHECK(refused.at("State").at("Stream").text == "Closed");
    CHECK(refused.at("State").at("Text").text == "the request has no name");
    client.send(R"({"ID":2,"Key":{"Name":"A.X","Service":1}})");
    CHECK(client.next("ID", "2").at("Fields").find("BID") != nullptr);
    client.send(R"({"ID":2,"Key":{"Service":1}})");
    const auto again = client.next("ID", "2");
    CHECK(again.at("Type").text == "Refresh");
    CHECK(again.at("Key").at("Name").text == "A.X");
}

TEST_CASE("A view with blank parts has the fields that it names", "[capi][provider]") {
    CProvider provider;
    for (const char* item : {"A.X", "B.X"})
        provider.publish(item, {value("BID", EMI_REAL, 150, 12), value("ASK", EMI_REAL, 160, 12)});
    RawConsumer client(static_cast<std::uint16_t>(std::stoi(provider.port)));
    client.send(RawConsumer::loginRequest("u"));
    CHECK(client.next().msg.state.stream == codec::StreamState::open);
    const auto ask = [&](std::int32_t stream, const char* item, const OmmArray& ids) {
        ElementList view;
        view.addUInt(":ViewType", 1).addArray(":ViewData", ids).complete();
        const EmaBuffer& bytes = view.getAsHex();
        codec::Msg request = RawConsumer::request(stream, 6, item, std::uint16_t{1});
        request.flags |= codec::RequestFlag::view;
        request.containerType = codec::DataType::ElementList;
        request.payload = eta::asBytes(std::string_view(bytes.c_buf(), bytes.length()));
        client.send(request);
        const Received answer = client.next();
        CHECK(answer.msg.streamId == stream);
        return answer.msg.payload.size();
    };
    OmmArray named, blanks;
    named.addInt(25).complete();
    blanks.addCodeInt().addInt(25).addInt(25 + 65'536).complete();
    const auto one = ask(5, "A.X", named);
    CHECK(ask(6, "B.X", blanks) == one);
}

TEST_CASE("A request without a name is refused over RIPC", "[capi][provider]") {
    CProvider provider;
    provider.publish("A.X", {value("BID", EMI_REAL, 150, 12)});
    RawConsumer client(static_cast<std::uint16_t>(std::stoi(provider.port)));
    client.send(RawConsumer::loginRequest("u"));
    CHECK(client.next().msg.state.stream == codec::StreamState::open);
    client.send(RawConsumer::request(5, 6, {}, std::uint16_t{1}));
    const Received refused = client.next();
    checkState(refused, 5, codec::StreamState::closed, codec::DataState::suspect, OmmState::UsageErrorEnum);
    CHECK(refused.stateText() == "the request has no name");
    client.send(RawConsumer::request(6, 6, "A.X", std::uint16_t{1}));
    checkState(client.next(), 6, codec::StreamState::open, codec::DataState::ok);
    client.send(RawConsumer::request(6, 6, {}, std::uint16_t{1}));
    const Received again = client.next();
    checkState(again, 6, codec::StreamState::open, codec::DataState::ok);
    CHECK(again.name() == "A.X");
}

TEST_CASE("A post that cannot be decoded is refused, and the program does not get it", "[capi][post]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 150, 12)});
    const auto port = static_cast<std::uint16_t>(std::stoi(provider.port));
    const auto inbox = [&](std::int64_t patience) {
        emi_batch* filled = nullptr;
        REQUIRE(emi_provider_next_batch(provider.handle, patience, &filled, &provider.error) == EMI_OK);
        return std::make_unique<CBatch>(filled);
    };
    if (json) {
        TextClient client(webSocketTo(port), [] {});
        client.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"u","Elements":{"ApplicationId":"256"}}})");
        CHECK(client.next("ID", "1").at("Type").text == "Refresh");
        client.send(R"({"ID":2,"Key":{"Name":"A.X","Service":1}})");
        CHECK(client.next("ID", "2").at("Type").text == "Refresh");
        client.send(R"({"ID":2,"Type":"Post","Ack":true,"PostID":5,"Message":{"ID":2,"Type":"Close"}})");
        const auto nak = client.next("Type", "Ack");
        CHECK(nak.at("AckID").text == "5");
        CHECK(nak.at("NakCode").text == "InvalidContent");
        client.send(R"({"ID":2,"Type":"Post","Ack":true,"PostID":6,"Fields":{"BID":2}})");
        const auto ack = client.next("Type", "Ack");
        CHECK(ack.at("AckID").text == "6");
        CHECK(ack.find("NakCode") == nullptr);
    } else {
        RawConsumer client(port);
        client.send(RawConsumer::loginRequest("u"));
        CHECK(client.next().msg.state.stream == codec::StreamState::open);
        client.send(RawConsumer::request(5, 6, "A.X", std::uint16_t{1}));
        checkState(client.next(), 5, codec::StreamState::open, codec::DataState::ok);
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.streamId = 5;
        post.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
        post.postId = 5;
        post.containerType = codec::DataType::Msg;
        post.payload = eta::asBytes("no message");
        client.send(post);
        const Received nak = client.next();
        CHECK(nak.msg.ackId == 5);
        CHECK(int{nak.msg.nakCode} == AckMsg::InvalidContentEnum);
        post.containerType = codec::DataType::NoData;
        post.payload = {};
        post.postId = 6;
        client.send(post);
        const Received ack = client.next();
        CHECK(ack.msg.ackId == 6);
        CHECK_FALSE(ack.msg.has(codec::AckFlag::nakCode));
        // The ack of a post without a number has the number 0.
        post.flags = codec::PostFlag::complete | codec::PostFlag::ack;
        client.send(post);
        CHECK(client.next().msg.ackId == 0);
    }
    const auto came = inbox(10'000);
    REQUIRE(came->view.rows == (json ? 1 : 2));
    CHECK(came->header(0).id == 6);
    CHECK(std::string(came->header(0).name) == "A.X");
    CHECK(came->view.unreadable == 0);
}

}  // namespace emissary::test
