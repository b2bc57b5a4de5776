// The sequences of session.md 11 that are about items: 2-6, 8-10, 14.
#include "Journal.h"

using namespace emissary::test;
using Catch::Matchers::StartsWith;
using Lines = std::vector<std::string>;

TEST_CASE("Sequence 2 and 3: a second client shares the stream, and both leave", "[ema][session][sequence]") {
    Sequence s;
    UInt64 a = 0;
    const auto id = s.openAnswered("A", item("IBM.N"), "IBM.N", &a);
    const UInt64 b = s.open("B", item("IBM.N"));
    CHECK(s.provider.requested("IBM.N") == id);
    s.send(RawProvider::refresh(id));
    s.send(RawProvider::update(id));
    REQUIRE(s.journal.wait("B update"));
    CHECK(s.journal.take() == Lines{"A refresh Open/Ok/0", "B refresh Open/Ok/0", "A update", "B update"});
    CHECK(s.wire() == Lines{"REQ 3 d6 0x44 IBM.N", "REQ 3 d6 0x46 IBM.N"});

    s.consumer.unregister(a);
    CHECK(s.provider.until([](RawProvider& p) { return !p.wire.empty() && p.wire.back() == "REQ 3 d6 0x66 IBM.N"; }));
    s.consumer.unregister(b);
    CHECK(s.provider.until([](RawProvider& p) { return p.wire.back() == "CLOSE 3 d6 0x0"; }));
}

TEST_CASE("Sequence 4: a snapshot of an open item", "[ema][session][sequence]") {
    Sequence s;
    const auto id = s.openAnswered("A", item("IBM.N"), "IBM.N");
    s.open("S", item("IBM.N").interestAfterRefresh(false));
    s.provider.requested("IBM.N");
    s.send(RawProvider::refresh(id));
    REQUIRE(s.journal.wait("S refresh NonStreaming/Ok/0"));
    s.settle();
    CHECK(s.journal.take() == Lines{"A refresh Open/Ok/0", "S refresh NonStreaming/Ok/0"});
    for (const auto& line : s.wire())
        CHECK_FALSE(line.starts_with("CLOSE"));
}

TEST_CASE("Sequence 5: a refused item", "[ema][session][sequence]") {
    Sequence s;
    const UInt64 h = s.open("A");
    s.send(RawProvider::status(s.provider.requested("A"), codec::StreamState::closed, codec::DataState::suspect, 1,
                               "Item not found"));
    REQUIRE(s.journal.wait("A status Closed/Suspect/1"));
    CHECK_THAT(thrown([&] { s.consumer.reissue(item("A"), h); }), StartsWith("OmmInvalidHandleException"));
    s.consumer.unregister(h);
    s.settle();
    CHECK(s.journal.take() == Lines{"A status Closed/Suspect/1"});
    CHECK(s.wire().size() == 1);
}

TEST_CASE("Sequence 6: a provider that does not answer", "[ema][session][sequence]") {
    Sequence s(R"(<RequestTimeout value="150"/>)");
    s.open("A");
    CHECK(s.provider.requested("A") == 3);
    for (std::int32_t id = 4; id <= 6; ++id)
        CHECK(s.provider.requested("A") == id);
    REQUIRE(s.journal.wait("A status Open/Suspect/2", 3));
    const Lines wire = s.wire();
    REQUIRE(wire.size() >= 5);
    CHECK(std::find(wire.begin(), wire.end(), "CLOSE 3 d6 0x0") <
          std::find(wire.begin(), wire.end(), "REQ 4 d6 0x44 A"));
}

TEST_CASE("Sequence 8: the status of an item group", "[ema][session][sequence]") {
    Sequence s;
    s.directory("dir");
    REQUIRE(s.journal.wait("dir refresh Open/Ok/0"));
    s.openAnswered("other");
    s.open("member");
    const auto id = s.provider.requested("member");
    static constexpr std::byte group[] = {std::byte{1}, std::byte{2}};
    auto refresh = RawProvider::refresh(id);
    refresh.groupId = group;
    s.send(refresh);
    REQUIRE(s.journal.wait("member refresh Open/Ok/0"));
    s.journal.take();
    s.provider.run([](RawProvider& p) {
        p.sendGroupStatus(1, group, {codec::StreamState::open, codec::DataState::suspect, 0, {}});
    });
    REQUIRE(s.journal.wait("dir update"));
    CHECK(s.journal.take() == Lines{"member status Open/Suspect/0", "dir update"});
}

TEST_CASE("Sequence 9: a service goes down and comes up", "[ema][session][sequence]") {
    Sequence s;
    s.directory("dir");
    s.openAnswered("old");
    s.settle();
    s.journal.take();
    s.wire();
    s.provider.run([](RawProvider& p) { p.sendServiceState(1, false, true); });
    REQUIRE(s.journal.wait("dir update"));
    CHECK(s.journal.take() == Lines{"dir update"});

    s.open("new");
    REQUIRE(s.journal.wait("new status Open/Suspect/0"));
    CHECK(s.wire().empty());

    s.provider.run([](RawProvider& p) { p.sendServiceState(1, true, true); });
    s.send(RawProvider::refresh(s.provider.requested("new")));
    REQUIRE(s.journal.wait("new refresh Open/Ok/0"));
    CHECK(s.journal.take() == Lines{"new status Open/Suspect/0", "dir update", "new refresh Open/Ok/0"});
}

TEST_CASE("Sequence 10: a batch", "[ema][session][sequence]") {
    Sequence s;
    std::mutex mutex;
    std::vector<std::pair<std::string, UInt64>> parents;
    s.journal.hook = [&](const Msg& m, const OmmConsumerEvent& e) {
        const std::lock_guard guard(mutex);
        parents.emplace_back(m.hasName() ? m.getName().c_str() : "-", e.getParentHandle());
    };
    ReqMsg request;
    request.serviceName("DIRECT_FEED")
        .payload(
            ElementList()
                .addArray(ENAME_BATCH_ITEM_LIST, OmmArray().addAscii("A").addAscii("CLOSED").addAscii("B").complete())
                .complete());
    const UInt64 batch = s.open("batch", request);
    s.send(RawProvider::refresh(s.provider.requested("A")));
    s.send(
        RawProvider::status(s.provider.requested("CLOSED"), codec::StreamState::closed, codec::DataState::suspect, 1));
    s.send(RawProvider::refresh(s.provider.requested("B")));
    REQUIRE(s.journal.wait("batch refresh Open/Ok/0", 2));
    CHECK(s.journal.take() == Lines{"batch status Closed/Ok/0", "batch refresh Open/Ok/0",
                                    "batch status Closed/Suspect/1", "batch refresh Open/Ok/0"});
    const std::lock_guard guard(mutex);
    CHECK(parents ==
          std::vector<std::pair<std::string, UInt64>>{{"-", 0}, {"A", batch}, {"CLOSED", batch}, {"B", batch}});
}

TEST_CASE("Sequence 14: two clients pause and one resumes", "[ema][session][sequence]") {
    Sequence s;
    UInt64 a = 0;
    const auto id = s.openAnswered("A", item("IBM.N"), "IBM.N", &a);
    const UInt64 b = s.open("B", item("IBM.N"));
    s.provider.requested("IBM.N");
    s.send(RawProvider::refresh(id));
    REQUIRE(s.journal.wait("B refresh Open/Ok/0"));
    s.wire();
    s.consumer.reissue(item("IBM.N").initialImage(false).pause(true), a);
    s.settle();
    CHECK(s.wire().empty());
    s.consumer.reissue(item("IBM.N").initialImage(false).pause(true), b);
    s.settle();
    CHECK(s.wire() == Lines{"REQ 3 d6 0x266 IBM.N"});
    s.consumer.reissue(item("IBM.N").initialImage(false), a);
    s.settle();
    CHECK(s.wire() == Lines{"REQ 3 d6 0x66 IBM.N"});
}
