// Clients that speak JSON with a provider role, and the items that it answers with.
#pragma once

#include "reactor/json/fixture.h"

#include "eta/codec/encoders.h"

namespace emissary::test {
using Json = json_test::Json;

inline const std::string kLogin =
    R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":{"ApplicationId":"256","Position":"10.9.8.7/net"}}})";

/// Field BID with value n/100, encoded into a buffer that the caller keeps.
inline void price(eta::GrowingBuffer& buffer, std::int64_t n) {
    codec::FieldListEncoder list;
    list.begin(buffer.start());
    list.addReal(22, {n, 12});
    REQUIRE(list.complete().ok());
}

/// Answers items with a refresh that carries BID 12.50.
inline void answerItems(ProviderFixture& f) {
    f.app.answer = [&f](const StreamEvent& e, const codec::Msg& m) {
        if (m.domain != 6) {
            CHECK(f.app.submitRefresh(e.handle, m).ok());
            return;
        }
        eta::GrowingBuffer payload;
        price(payload, 1250);
        codec::Msg r = Application::refresh();
        r.flags |= codec::RefreshFlag::msgKey;
        r.key = m.key;
        r.containerType = codec::DataType::FieldList;
        r.payload = payload.view();
        CHECK(f.app.role->submit(e.handle, r).ok());
    };
}

inline TextClient textClient(ProviderFixture& f, const std::string& protocols = "tr_json2") {
    return {webSocketTo(f.role->port(), protocols), [&f] { f.turn(); }};
}

inline TextClient loggedIn(ProviderFixture& f) {
    TextClient c = textClient(f);
    c.send(kLogin);
    CHECK(c.next().at("Domain").text == "Login");
    return c;
}

}  // namespace emissary::test
