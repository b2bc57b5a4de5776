// Posts between nodes that are larger than one part: their order, what they cost where they come to, and owners of a
// version that knows no parts.
#include "post_hubs.h"

using namespace emissary;
using namespace emissary::test::posts;

namespace {

/// Posts in parts to a hub that asks for none of them to be whole.
struct Parts {
    LyingTo f;
    std::uint64_t id = 0;
    std::size_t answers = 0;
    [[nodiscard]] std::uint64_t refused() { return f.hub.node->counts().refusedPosts.get(); }
    [[nodiscard]] std::size_t held() { return f.hub.node->posts().partBytes(); }
    void more(std::size_t bytes = kMostPost) { f.liar.post(1, ++id, kMore, bytes); }
    void last(std::size_t bytes = 8) { f.liar.post(1, ++id, kAsksForAck, bytes); }
};

}  // namespace

TEST_CASE("Parts that come twice, in another order or without their neighbours are one post, or none",
          "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    p.more();
    CHECK(p.held() == kMostPost);
    p.f.liar.post(1, 1, kMore, kMostPost);  // once more
    p.f.liar.post(1, 3, kAsksForAck, 100);  // the one before it is missing
    CHECK(p.held() == kMostPost);
    CHECK(p.f.book.applied == 0);
    p.more();
    p.f.liar.post(1, 2, kMore, kMostPost);
    CHECK(p.held() == 2 * kMostPost);
    p.last(100);
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.inParts == 1);
    CHECK(p.held() == 0);
    CHECK(p.f.hub.node->counts().postsRepeated.get() == 2);
    CHECK(p.f.hub.node->counts().postsIn.get() == 1);
    // Its poster was told that it is over: the rest is void, and the next one is whole.
    p.more();
    p.f.liar.post(1, ++p.id, kVoid, 0);
    p.f.liar.post(1, ++p.id, kVoid | kAsksForAck, 0);
    CHECK(p.held() == 0);
    CHECK(p.f.book.applied == 1);
    p.last();
    CHECK(p.f.book.applied == 2);
    CHECK(p.f.book.inParts == 1);
    // Another session, and another life, have none of it.
    p.more();
    p.f.liar.post(2, 1);
    CHECK(p.held() == 0);
    CHECK(p.f.book.applied == 3);
    CHECK(p.f.book.inParts == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts without an end have a bound, and what is behind them is taken", "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    for (int i = 0; i < 100; ++i) {  // 6 MiB
        p.more();
        CHECK(p.held() <= 300'000);
    }
    CHECK(p.held() == 0);
    p.last();
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
    p.last();
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts that do not come in time are given back, and so are those of a node that is lost", "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    const auto pass = [&](std::chrono::milliseconds time, bool beats) {
        for (std::chrono::milliseconds t{}; t < time; t += 100ms) {
            p.f.bus.run(100ms);
            if (beats) p.f.liar.beat();
            p.f.hub.tick();
        }
    };
    p.more();
    pass(5500ms, true);
    CHECK(p.held() == kMostPost);
    p.more();
    pass(5500ms, true);
    CHECK(p.held() == 2 * kMostPost);
    pass(1000ms, true);
    CHECK(p.held() == 0);
    p.more();
    CHECK(p.held() == 0);
    p.last();
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
    p.more();
    pass(12'000ms, false);
    CHECK(p.held() == 0);
    p.f.liar.beat();  // in the same life: the beginning of its post is not here any more
    p.last();
    CHECK(p.refused() == 2);
    CHECK(p.f.book.applied == 0);
    p.last();
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts of all nodes together have a bound", "[mesh][posts]") {
    Parts p;
    p.f.hub.kill();
    p.f.hub.change = [](MeshOptions& o) { o.maxPartBytes = 100'000; };
    p.f.hub.start();
    Liar liar(*p.f.hub.node);
    liar.beat();
    liar.post(1, 1, kMore, kMostPost);
    CHECK(p.held() == kMostPost);
    liar.post(1, 2, kMore, kMostPost);
    CHECK(p.held() == 0);
    liar.post(1, 3);
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
}

TEST_CASE("A hub of a version without parts gets posts of one part alone", "[mesh][posts]") {
    PostPair p;
    // What such a version says of itself ends behind the load.
    bool old = true;
    p.bus.begin(kOwners, [&](eta::Bytes frame) {
        const auto h = readHeader(frame);
        if (!old || !h.ok() || h.value().type != FrameType::heartbeat) return void(p.edge.node->received(frame));
        RecordReader reader(frame.subspan(kHeaderBytes));
        Batch batch;
        for (Record r; reader.next(r);)
            REQUIRE(batch.add(r.kind, r.number, r.version, r.kind == Kind::summary ? r.body.first(4) : r.body));
        Header header = h.value();
        --header.sequence;
        batch.flush(header, kMostPayload, [&](eta::Bytes as) { p.edge.node->received(as); });
    });
    p.pass(2000ms);
    CHECK(p.post(kMostPost - 7) == Edge::Posting::tooLong);
    CHECK(p.post(kMostPost - 8) == Edge::Posting::taken);
    p.pass(8000ms);
    CHECK(p.book.applied == 1);
    CHECK(p.book.inParts == 0);
    old = false;
    p.pass(1000ms);
    CHECK(p.post(kMostPost - 7) == Edge::Posting::taken);
    CHECK(p.post(300'000 - 8) == Edge::Posting::taken);
    CHECK(p.post(300'000 - 7) == Edge::Posting::tooLong);
    CHECK(p.edge.node->edge().posts() == 2 + 5);  // parts count as posts until they are taken
    p.pass(8000ms);
    CHECK(p.book.applied == 3);
    CHECK(p.book.inParts == 2);
    CHECK(p.edge.asked.empty());
    CHECK(p.edge.node->edge().posts() == 0);
    CHECK(p.edge.node->counts().postsOut.get() == 3);
    CHECK(p.book.error.empty());
}

TEST_CASE("A post that is larger than the window goes ahead of the end of its item", "[mesh][posts]") {
    const bool loses = GENERATE(false, true);
    PostPair p([](MeshOptions& o) {
        o.maxPost = 4'000'000;
        o.maxPostBytes = 8'000'000;
        o.maxPartBytes = 8'000'000;
    });
    p.pass(3000ms);
    REQUIRE(p.post(2'000'000, true) == Edge::Posting::taken);
    p.edge.node->edge().close(p.edge.items[0]);
    CHECK_FALSE(p.owner.appliedBefore);
    if (loses) {  // what goes once more is not behind the end either
        p.bus.cut(kOwners, 0, true);
        p.pass(30ms);
        p.bus.cut(kOwners, 0, false);
    }
    p.pass(12'000ms);
    CHECK(p.book.applied == 1);
    CHECK(p.owner.appliedBefore == 1);
    CHECK(p.edge.node->edge().posts() == 0);
    CHECK(p.book.error.empty());
}
