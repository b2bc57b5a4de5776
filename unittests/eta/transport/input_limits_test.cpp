// Messages that come in pieces: what a peer may make us keep of them.
#include "rows.h"
#include "support.h"
#include "support/catch.hpp"
#include "transport/channel/handshake.h"
#include "transport/websocket/WebSocketReader.h"

using namespace transport_test;
namespace ws = emissary::eta::transport::ws;

namespace {

/// A first fragment, or one that follows.
ByteVector fragment(std::uint16_t id, std::uint32_t total, std::size_t bytes) {
    ByteVector f(total != 0 ? 10 : 6);
    storeBe(f.data(), static_cast<std::uint16_t>(f.size() + bytes));
    f[2] = std::byte{frame::kData | frame::kExtended};
    f[3] = std::byte{total != 0 ? frame::kFragmentHeader : frame::kFragment};
    if (total != 0) storeBe(f.data() + 4, total);
    storeBe(f.data() + f.size() - 2, id);
    f.resize(f.size() + bytes, std::byte{'x'});
    return f;
}

/// Sends until the bytes are sent or the channel fails; reads on the way.
ReadResult::Kind pour(RawPeer& p, std::uint16_t id, std::uint32_t total, std::size_t bytes) {
    constexpr std::size_t kPart = 6000;
    ReadResult::Kind last = ReadResult::Kind::wouldBlock;
    for (std::size_t sent = 0; sent < bytes && last != ReadResult::Kind::closed; sent += kPart) {
        p.raw.send(fragment(id, sent == 0 ? total : 0, std::min(kPart, bytes - sent)));
        REQUIRE(readable(p.channel->fd()));
        do {
            const ReadResult r = p.channel->read();
            last = r.kind;
            if (!r.more) break;
        } while (last != ReadResult::Kind::closed);
    }
    return last;
}

}  // namespace

TEST_CASE("a peer that is not known yet may only send little", "[transport][limits]") {
    RawPeer p = makeRawPeer();
    p.channel->limitInput(20'000);
    SECTION("in one message") {
        CHECK(pour(p, 1, 20'001, 6000) == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("fragmented message of 20001 bytes exceeds 20000"));
    }
    SECTION("in several that are incomplete") {
        CHECK(pour(p, 1, 15'000, 12'000) != ReadResult::Kind::closed);
        CHECK(pour(p, 2, 15'000, 12'000) == ReadResult::Kind::closed);
        CHECK_THAT(p.channel->errorText(), Catch::Contains("incomplete messages hold"));
    }
    SECTION("until it is known") {
        p.channel->limitInput(0);
        CHECK(pour(p, 1, 300'000, 300'000) == ReadResult::Kind::message);
    }
}

TEST_CASE("incomplete messages of all connections share a budget", "[transport][limits]") {
    BindOptions o = bindOptions();
    o.partialBudgetBytes = 300'000;
    RawPeer greedy = makeRawPeer(14, o);
    const auto join = [&] {
        RawPeer p;
        p.raw = RawSocket::connectTo(greedy.server->port());
        p.raw.send(encodeRequest(ConnectionRequest{}));
        p.channel = acceptOne(*greedy.server);
        REQUIRE(settle(*p.channel) == InitStatus::active);
        REQUIRE_FALSE(p.raw.receiveFrame().empty());
        return p;
    };
    CHECK(pour(greedy, 1, 1'000'000, 340'000) != ReadResult::Kind::closed);

    RawPeer second = join();
    CHECK(pour(second, 1, 1'000'000, 340'000) == ReadResult::Kind::closed);
    CHECK_THAT(second.channel->errorText(), Catch::Contains("those of all connections together too many"));

    RawPeer modest = join();  // ordinary messages pass
    CHECK(pour(modest, 1, 60'000, 60'000) == ReadResult::Kind::message);

    greedy.channel->close();  // what it held is given back
    RawPeer next = join();
    CHECK(pour(next, 1, 330'000, 330'000) == ReadResult::Kind::message);
    CHECK(pour(next, 1, 330'000, 330'000) == ReadResult::Kind::message);  // what was completed, too
}

TEST_CASE("an incomplete message has to grow", "[transport][limits]") {
    RawPeer p = makeRawPeer();
    constexpr auto limit = std::chrono::seconds(30);
    CHECK_FALSE(p.channel->inputStalled(at(0), limit));
    REQUIRE(pour(p, 1, 1'000'000, 6000) != ReadResult::Kind::closed);
    CHECK_FALSE(p.channel->inputStalled(at(100), limit));
    REQUIRE(pour(p, 2, 1'000'000, 6000) != ReadResult::Kind::closed);
    CHECK_FALSE(p.channel->inputStalled(at(120), limit));
    SECTION("each by itself") {
        p.raw.send(fragment(2, 0, 6000));
        REQUIRE(readWait(*p.channel).kind != ReadResult::Kind::closed);
        CHECK_FALSE(p.channel->inputStalled(at(129), limit));
        CHECK(p.channel->inputStalled(at(130), limit));
    }
    SECTION("by more than a drop") {
        p.raw.send(fragment(1, 0, 10));
        REQUIRE(readWait(*p.channel).kind != ReadResult::Kind::closed);
        CHECK(p.channel->inputStalled(at(130), limit));
    }
    SECTION("and is no matter when it is complete") {
        p.raw.send(fragment(1, 6000, 6000));
        p.raw.send(fragment(2, 6000, 6000));
        REQUIRE(readWait(*p.channel).kind == ReadResult::Kind::message);
        REQUIRE(readWait(*p.channel).kind == ReadResult::Kind::message);
        CHECK_FALSE(p.channel->inputStalled(at(1000), limit));
    }
}

TEST_CASE("WebSocket messages have the same limits", "[transport][limits][websocket]") {
    ws::Reader reader(true, 1'000'000);
    reader.start(ws::Reader::Mode::message);
    const auto feed = [&](int first, std::size_t bytes) {
        const ByteVector payload(bytes, std::byte{'x'});
        ByteVector f(ws::kMaxHeader + bytes);
        const ws::Mask mask{};
        const std::size_t n = ws::writeHeader(f.data(), ws::Opcode::text, false, false, bytes, &mask);
        f[0] = static_cast<std::byte>(first);
        std::copy(payload.begin(), payload.end(), f.begin() + static_cast<std::ptrdiff_t>(n));
        f.resize(n + bytes);
        ws::Event event = ws::Event::needMore;
        for (Bytes left = f; !left.empty() && event == ws::Event::needMore;) {
            const auto room = reader.space();
            const std::size_t part = std::min(room.size(), left.size());
            std::copy_n(left.begin(), part, room.begin());
            reader.added(part);
            left = left.subspan(part);
            Bytes out;
            event = reader.next(out);
        }
        return event;
    };
    constexpr int text = 0x01, more = 0x00, end = 0x80;
    const auto budget = std::make_shared<PartialBudget>(300'000);
    SECTION("a budget that all share") {
        reader.useBudget(budget);
        CHECK(feed(text, 200'000) == ws::Event::needMore);
        CHECK(budget->left() == 300'000 - (200'000 - PartialShare::kOwnBytes));
        CHECK(feed(more, 200'000) == ws::Event::failed);
        CHECK(reader.fault() == ws::Fault::budgetSpent);
        CHECK(budget->left() == 300'000);
    }
    SECTION("which a complete message gives back") {
        reader.useBudget(budget);
        for (int i = 0; i < 3; ++i) {
            CHECK(feed(text, 200'000) == ws::Event::needMore);
            CHECK(feed(end, 100) == ws::Event::message);
        }
    }
    SECTION("a limit that comes down while a message is open") {
        CHECK(feed(text, 50'000) == ws::Event::needMore);
        reader.setMaxMessage(60'000);
        CHECK(feed(more, 50'000) == ws::Event::failed);
        CHECK(reader.fault() == ws::Fault::tooBig);
    }
    SECTION("growth") {
        constexpr auto limit = std::chrono::seconds(30);
        CHECK_FALSE(reader.stalled(at(0), limit));
        CHECK(feed(text, 5000) == ws::Event::needMore);
        CHECK_FALSE(reader.stalled(at(10), limit));
        CHECK(feed(more, 5000) == ws::Event::needMore);
        CHECK_FALSE(reader.stalled(at(40), limit));
        CHECK(feed(more, 10) == ws::Event::needMore);
        CHECK(reader.stalled(at(70), limit));
        CHECK(feed(end, 10) == ws::Event::message);
        CHECK_FALSE(reader.stalled(at(200), limit));
    }
}
