// Handles, and the statuses that wait to be told: bounded and counted.
#include "session/RequestTable.h"

#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using reactor::session::Handle;
using reactor::session::Recipient;
using reactor::session::Request;
using reactor::session::RequestTable;

namespace {

struct Sink final : reactor::session::ClientSink {
    void onMessage(const codec::Msg& msg, const Recipient& to, std::string_view) override {
        told.emplace_back(to.handle, std::string(eta::asText(msg.state.text)));
    }
    void onConnection(reactor::session::ConnectionEvent, const std::string&) override {}
    void onWarning(const std::string&) override {}
    std::vector<std::pair<Handle, std::string>> told;
};

RequestTable::Notice notice(Handle handle, std::string text, bool ends = false) {
    RequestTable::Notice n;
    n.handle = handle;
    n.state = {codec::StreamState::open, codec::DataState::suspect, 0, {}};
    n.text = std::move(text);
    n.ends = ends;
    return n;
}

}  // namespace

TEST_CASE("Statuses made here are told from the loop, in order", "[reactor][client]") {
    Caller c;
    Sink sink;
    RequestTable table(*c.loop, sink);
    Handle a = 0, b = 0;
    {
        const std::lock_guard guard(c.loop->lock());
        a = table.add(Request::Kind::item, {}).handle();
        b = table.add(Request::Kind::item, {}).handle();
        table.later(notice(a, "one"));
        table.later(notice(b, "two", true));
        table.later(notice(b, "of an ended handle"));
        CHECK(sink.told.empty());
    }
    c.turn();
    REQUIRE(sink.told.size() == 2);
    CHECK(sink.told[0] == std::pair<Handle, std::string>(a, "one"));
    CHECK(sink.told[1] == std::pair<Handle, std::string>(b, "two"));
    CHECK(table.find(b) == nullptr);
    CHECK(table.noticesDropped() == 0);
}

TEST_CASE("Statuses without end on one handle are dropped and counted; its end is told", "[reactor][client]") {
    Caller c;
    Sink sink;
    RequestTable table(*c.loop, sink);
    {
        const std::lock_guard guard(c.loop->lock());
        const Handle h = table.add(Request::Kind::item, {}).handle();
        for (int i = 0; i < 10000; ++i)
            table.later(notice(h, "again"));
        CHECK(table.noticesDropped() > 8000);
        table.later(notice(h, "the end", true));
    }
    c.turn();
    CHECK(sink.told.size() + table.noticesDropped() == 10001);
    CHECK(sink.told.back().second == "the end");
}
