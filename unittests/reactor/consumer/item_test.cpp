// Item streams of a consumer role: images, updates, sharing, posts, closing.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

codec::Msg privately(std::string_view name) {
    codec::Msg m = Consumer::request(name);
    m.flags |= codec::RequestFlag::privateStream;
    return m;
}

}  // namespace

TEST_CASE("An item's life", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();

    SECTION("request, refresh, updates with the key filled in, close") {
        const Handle h = c.open("IBM.N");
        const codec::Msg request = c.expectRequest("IBM.N");
        CHECK(request.streamId == 3);
        CHECK(request.flags == (codec::RequestFlag::streaming | codec::RequestFlag::qos));
        CHECK(request.qos == codec::kRealtimeTickByTick);
        CHECK(request.key.serviceId == 1);
        c.provider.send(RawProvider::update(3));  // before any refresh: dropped
        c.provider.send(RawProvider::refresh(3));
        c.provider.send(RawProvider::update(3));
        bool keyed = false;
        c.hook = [&](const codec::Msg& m, const Recipient&) {
            if (m.cls == codec::MsgClass::Update)
                keyed = m.hasKey() && eta::asText(m.key.name) == "IBM.N" && m.key.serviceId == 1 && m.streamId >= 5;
        };
        c.expectEvent("IBM.N UPD");
        CHECK(c.takeEvents() == Strings{"IBM.N RFSH Open/Ok/0", "IBM.N UPD"});
        CHECK(keyed);
        CHECK(c.lastService == "DIRECT_FEED");
        CHECK(c.role->counters().earlyUpdates == 1);
        c.close(h);
        c.settle();
        CHECK(c.provider.wire.back() == "CLOSE 3 d6 0x0");
        c.close(h);  // unknown by now: ignored
        codec::Msg again = Consumer::request("IBM.N");
        CHECK(c.reissue(h, again).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("what is handed on has the received bytes with it, whatever was filled in") {
        const auto bytesOf = [](const codec::Msg& m) {
            std::vector<std::byte> bytes(codec::maxEncodedSize(m));
            eta::BeWriter out(bytes);
            REQUIRE(codec::encodeMsg(out, m).ok());
            bytes.resize(out.size());
            return bytes;
        };
        std::vector<std::vector<std::byte>> raw;
        c.hook = [&](const codec::Msg& m, const Recipient&) { raw.emplace_back(m.raw.begin(), m.raw.end()); };
        (void)c.open("IBM.N");
        const std::int32_t stream = c.expectRequest("IBM.N").streamId;
        const codec::Msg refresh = RawProvider::refresh(stream), update = RawProvider::update(stream);
        c.provider.send(refresh);
        c.provider.send(update);
        c.expectEvent("IBM.N UPD");
        CHECK(raw == std::vector{bytesOf(refresh), bytesOf(update)});
    }
    SECTION("a request without a service gives a closed status, later, and the handle is gone") {
        const Handle h = c.open("Y", Consumer::request("Y"), {});
        CHECK(c.events.empty());
        CHECK(c.reissue(h, Consumer::request("Y")).kind == Refusal::Kind::invalidHandle);
        c.expectEvent("Y STAT Closed/Suspect/15");
        c.settle();
        CHECK(c.provider.wire.empty());
    }
    SECTION("a refused item ends with one status and no close") {
        const Handle h = c.open("IBM.N");
        c.provider.send(RawProvider::status(c.expectRequest("IBM.N").streamId, codec::StreamState::closed,
                                            codec::DataState::suspect, 1, "Item not found"));
        c.expectEvent("IBM.N STAT Closed/Suspect/1");
        c.settle();
        CHECK(c.takeEvents().size() == 1);
        CHECK(c.provider.wire.size() == 1);
        CHECK(c.reissue(h, Consumer::request("IBM.N")).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("closed-recoverable becomes suspect and is asked for again at once, on a new stream") {
        c.openAnswered("IBM.N");
        c.takeWire();
        c.provider.send(
            RawProvider::status(3, codec::StreamState::closedRecover, codec::DataState::suspect, 9, "moved"));
        c.expectEvent("IBM.N STAT Open/Suspect/9");
        CHECK(c.expectRequest("IBM.N").streamId == 4);
        c.provider.send(RawProvider::refresh(4));
        c.until([&] { return c.count("IBM.N RFSH Open/Ok/0") == 2; });
        CHECK(c.provider.wire == Strings{"REQ 4 d6 0x44 IBM.N"});
    }
    SECTION("a provider that always answers closed-recoverable is asked now and then, less and less often") {
        const Handle h = c.open("IBM.N");
        std::int32_t id = c.expectRequest("IBM.N").streamId;
        const auto refuse = [&] {
            const auto before = c.count("IBM.N STAT Open/Suspect/0");
            c.provider.send(RawProvider::status(id, codec::StreamState::closedRecover, codec::DataState::suspect));
            c.until([&] { return c.count("IBM.N STAT Open/Suspect/0") == before + 1; });
            c.settle();
        };
        const auto asked = [&] { return c.provider.wire.size(); };
        refuse();
        CHECK(c.expectRequest("IBM.N").streamId == ++id);  // the first time at once
        for (const int wait : {100, 200, 400, 800, 1600, 3200, 5000, 5000}) {
            INFO(wait);
            const std::size_t before = asked();
            refuse();
            c.clock.advance(std::chrono::milliseconds(wait - 1));
            c.settle();
            REQUIRE(asked() == before);
            c.clock.advance(std::chrono::milliseconds(1));
            CHECK(c.expectRequest("IBM.N").streamId == ++id);
        }
        SECTION("a directory that comes and goes changes nothing about it") {
            refuse();
            const std::size_t before = asked();
            for (int i = 0; i < 10; ++i)
                c.provider.sendDirectoryRefresh();
            c.settle();
            CHECK(asked() == before);
        }
        SECTION("what has lasted is asked for at once again") {
            c.provider.send(RawProvider::refresh(id));
            c.expectEvent("IBM.N RFSH Open/Ok/0");
            c.clock.advance(std::chrono::milliseconds(10'001));
            c.settle();
            refuse();
            CHECK(c.expectRequest("IBM.N").streamId == ++id);
        }
        SECTION("what is closed while it waits is not asked for") {
            refuse();
            const std::size_t before = asked();
            c.close(h);
            c.clock.advance(std::chrono::milliseconds(10'000));
            c.settle();
            CHECK(asked() == before);
        }
    }
    SECTION("no wait where none is wanted") {
        Consumer d;
        d.options.recoveryMinDelay = std::chrono::milliseconds(0);
        d.ready();
        d.open("IBM.N");
        for (int i = 0; i < 20; ++i)
            d.provider.send(RawProvider::status(d.expectRequest("IBM.N").streamId, codec::StreamState::closedRecover,
                                                codec::DataState::suspect));
    }
    SECTION("without single open it is passed on, and is the end") {
        Consumer d;
        reactor::rdm::LoginAttributes a;
        a.singleOpen = 0;
        d.login(a);
        d.ready();
        d.open("IBM.N");
        d.provider.send(RawProvider::status(d.expectRequest("IBM.N").streamId, codec::StreamState::closedRecover,
                                            codec::DataState::suspect));
        d.expectEvent("IBM.N STAT ClosedRecover/Suspect/0");
    }
    SECTION("a silent provider: close, suspect with code timeout, request on a new stream, again and again") {
        c.open("IBM.N");
        c.expectRequest("IBM.N");
        for (int round = 1; round <= 3; ++round) {
            c.clock.advance(c.options.requestTimeout);
            c.until([&] { return c.count("IBM.N STAT Open/Suspect/2") == static_cast<std::size_t>(round); });
            CHECK(c.expectRequest("IBM.N").streamId == 3 + round);
        }
        CHECK(c.provider.wire[1] == "CLOSE 3 d6 0x0");
        CHECK(c.provider.wire[2] == "REQ 4 d6 0x44 IBM.N");
    }
    SECTION("an undecodable message costs its stream, not the connection") {
        c.openAnswered("IBM.N");
        c.takeWire();
        // A refresh header that ends in the middle.
        const unsigned char cut[] = {0, 10, 2, 6, 0, 0, 0, 3, 0x80};
        c.provider.sendBytes(std::as_bytes(std::span{cut}));
        c.expectEvent("IBM.N STAT Open/Suspect/28");
        CHECK(c.expectRequest("IBM.N").streamId == 4);
        CHECK(c.provider.wire.front() == "CLOSE 3 d6 0x0");
        CHECK(c.warnings.size() == 1);
        CHECK(c.role->counters().disconnects == 0);
    }
    SECTION("a final message on an unknown stream is answered with a close") {
        c.provider.send(RawProvider::status(77, codec::StreamState::closed, codec::DataState::suspect));
        c.provider.send(RawProvider::update(78));
        c.settle();
        CHECK(c.provider.wire == Strings{"CLOSE 77 d6 0x0"});
    }
    SECTION("the first request must want the image") {
        const std::lock_guard guard(c.loop->lock());
        codec::Msg m = Consumer::request("IBM.N");
        m.flags |= codec::RequestFlag::noRefresh;
        Refusal refusal;
        CHECK(c.role->registerClient({m, "DIRECT_FEED"}, {}, refusal) == 0);
        CHECK(refusal.kind == Refusal::Kind::invalidArgument);
        const std::string tooLong(256, 'N');
        refusal = {};
        CHECK(c.role->registerClient({Consumer::request(tooLong), "DIRECT_FEED"}, {}, refusal) == 0);
        CHECK(refusal.kind == Refusal::Kind::invalidArgument);
        m = Consumer::request("IBM.N");
        m.key.flags |= codec::KeyFlag::serviceId;
        m.key.serviceId = 1;
        refusal = {};
        CHECK(c.role->registerClient({m, "DIRECT_FEED"}, {}, refusal) == 0);
    }
    SECTION("names longer than a record's own room work") {
        const std::string name(100, 'N');
        const Handle h = c.openAnswered(name);
        c.close(h);
        c.openAnswered(std::string(19, 'M'));
        c.openAnswered(std::string(18, 'M'));
    }
}

TEST_CASE("Sharing a stream", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();

    SECTION("a second client gets an image of its own; both get updates; closing in turn") {
        const Handle a = c.open("A", Consumer::request("IBM.N"));
        c.provider.send(RawProvider::refresh(c.expectRequest("IBM.N").streamId));
        c.expectEvent("A RFSH Open/Ok/0");
        const Handle b = c.open("B", Consumer::request("IBM.N"));
        const codec::Msg second = c.expectRequest("IBM.N");
        CHECK(second.streamId == 3);
        CHECK(second.flags == 0x46);
        CHECK(second.priorityCount == 2);
        c.provider.send(RawProvider::refresh(3));
        c.provider.send(RawProvider::update(3));
        c.expectEvent("B UPD");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B RFSH Open/Ok/0", "A UPD", "B UPD"});
        c.takeWire();
        c.close(a);
        c.close(b);
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 3 d6 0x66 IBM.N", "CLOSE 3 d6 0x0"});
    }
    SECTION("the provider is asked for conflation in updates as long as one of them wants that") {
        codec::Msg wants = Consumer::request("IBM.N");
        wants.flags |= codec::RequestFlag::confInfoInUpdates;
        c.openAnswered("IBM.N");
        c.takeWire();
        const Handle b = c.open("B", wants);
        CHECK(c.expectRequest("IBM.N").has(codec::RequestFlag::confInfoInUpdates));
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeWire();
        wants.flags ^= codec::RequestFlag::confInfoInUpdates | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(b, wants));
        wants.flags |= codec::RequestFlag::confInfoInUpdates;
        CHECK_FALSE(c.reissue(b, wants));
        CHECK_FALSE(c.reissue(b, wants));
        c.close(b);
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 3 d6 0x66 IBM.N", "REQ 3 d6 0x76 IBM.N", "REQ 3 d6 0x66 IBM.N"});
    }
    SECTION("a joiner while the refresh is pending shares it; only the priority goes out") {
        c.open("A", Consumer::request("IBM.N"));
        c.open("B", Consumer::request("IBM.N"));
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 3 d6 0x44 IBM.N", "REQ 3 d6 0x66 IBM.N"});
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.events.front() == "A RFSH Open/Ok/0");
    }
    SECTION("a snapshot of an open item") {
        c.openAnswered("IBM.N");
        const Handle s = c.open("S", Consumer::snapshot("IBM.N"));
        c.provider.send(RawProvider::refresh(c.expectRequest("IBM.N").streamId));
        c.expectEvent("S RFSH NonStreaming/Ok/0");
        CHECK(c.count("IBM.N RFSH Open/Ok/0") == 1);
        c.provider.send(RawProvider::update(3));
        c.expectEvent("IBM.N UPD");
        CHECK(c.count("S UPD") == 0);
        CHECK(c.reissue(s, Consumer::snapshot("IBM.N")).kind == Refusal::Kind::invalidHandle);
        c.settle();
        for (const auto& w : c.provider.wire)
            CHECK_FALSE(w.starts_with("CLOSE"));
    }
    SECTION("a snapshot alone; answered NonStreaming there is nothing to close, answered Open there is") {
        c.open("S", Consumer::snapshot("A"));
        c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId, codec::StreamState::nonStreaming));
        c.expectEvent("S RFSH NonStreaming/Ok/0");
        c.open("T", Consumer::snapshot("B"));
        c.provider.send(RawProvider::refresh(c.expectRequest("B").streamId));
        c.expectEvent("T RFSH NonStreaming/Ok/0");
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 3 d6 0x40 A", "REQ 4 d6 0x40 B", "CLOSE 4 d6 0x0"});
    }
    SECTION("a streaming client that joins a pending snapshot waits and then asks for itself") {
        c.open("S", Consumer::snapshot("IBM.N"));
        c.open("A", Consumer::request("IBM.N"));
        c.provider.send(RawProvider::refresh(c.expectRequest("IBM.N").streamId, codec::StreamState::nonStreaming));
        c.expectEvent("S RFSH NonStreaming/Ok/0");
        const codec::Msg own = c.expectRequest("IBM.N");
        CHECK(own.streamId == 4);
        CHECK(own.has(codec::RequestFlag::streaming));
        c.provider.send(RawProvider::refresh(4));
        c.expectEvent("A RFSH Open/Ok/0");
    }
    SECTION("parts of a refresh: a joiner in the middle waits; updates between the parts are delivered") {
        c.open("A", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3, codec::StreamState::open, true, false));
        c.expectEvent("A RFSH Open/Ok/0");
        c.open("B", Consumer::request("IBM.N"));
        c.provider.send(RawProvider::update(3));
        c.provider.send(RawProvider::refresh(3));
        c.until([&] { return c.count("A RFSH Open/Ok/0") == 2; });
        CHECK(c.count("A UPD") == 1);
        CHECK(c.count("B RFSH Open/Ok/0") == 0);
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.count("A RFSH Open/Ok/0") == 2);
    }
    SECTION("unsolicited refreshes go to those who are open, statuses to all") {
        c.openAnswered("IBM.N");
        c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.takeEvents();
        c.provider.send(RawProvider::refresh(3, codec::StreamState::open, false));
        c.provider.send(RawProvider::status(3, codec::StreamState::open, codec::DataState::suspect));
        c.expectEvent("B STAT Open/Suspect/0");
        CHECK(c.takeEvents() == Strings{"IBM.N RFSH Open/Ok/0", "IBM.N STAT Open/Suspect/0", "B STAT Open/Suspect/0"});
    }
    SECTION("different keys do not share; nor do private streams") {
        c.openAnswered("IBM.N");
        codec::Msg other = Consumer::request("IBM.N", 7);
        c.open("domain", other);
        CHECK(c.expectRequest("IBM.N").streamId == 4);
        c.open("private", privately("IBM.N"));
        const codec::Msg p = c.expectRequest("IBM.N");
        CHECK(p.streamId == 5);
        CHECK(p.isPrivate());
        codec::Msg filtered = Consumer::request("IBM.N");
        filtered.key.flags |= codec::KeyFlag::filter;
        filtered.key.filter = 5;
        c.open("filter", filtered);
        CHECK(c.expectRequest("IBM.N").streamId == 6);
        c.open("filter2", filtered);
        c.settle();
        CHECK(c.provider.wire.back() == "REQ 6 d6 0x66 IBM.N");
    }
    SECTION("pause goes out when all have paused, and ends with the first that resumes") {
        const Handle a = c.openAnswered("IBM.N");
        const Handle b = c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeWire();
        codec::Msg pause = Consumer::request("IBM.N");
        pause.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        codec::Msg resume = Consumer::request("IBM.N");
        resume.flags |= codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(a, pause));
        c.settle();
        CHECK(c.provider.wire.empty());
        CHECK_FALSE(c.reissue(b, pause));
        CHECK_FALSE(c.reissue(a, resume));
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 3 d6 0x266 IBM.N", "REQ 3 d6 0x66 IBM.N"});
    }
    SECTION("a reissue that wants an image gets it alone") {
        const Handle a = c.openAnswered("IBM.N");
        c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeEvents();
        CHECK_FALSE(c.reissue(a, Consumer::request("IBM.N")));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("IBM.N RFSH Open/Ok/0");
        CHECK(c.events.size() == 1);
    }
    SECTION("a reissue must not change what the stream is") {
        const Handle a = c.openAnswered("IBM.N");
        CHECK(c.reissue(a, Consumer::request("TRI.N")).kind == Refusal::Kind::invalidData);
        CHECK(c.reissue(a, Consumer::request("IBM.N", 7)).kind == Refusal::Kind::invalidData);
        CHECK(c.reissue(a, Consumer::snapshot("IBM.N")).kind == Refusal::Kind::invalidData);
        CHECK(c.reissue(a, privately("IBM.N")).kind == Refusal::Kind::invalidData);
    }
}

TEST_CASE("Refreshes that are not the answer to a request", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    const auto unsolicited = [](bool complete = true) {
        return RawProvider::refresh(3, codec::StreamState::open, false, complete);
    };

    SECTION("one that crosses a reissue is not taken for its answer: that comes as well, and updates go on") {
        const Handle a = c.openAnswered("IBM.N");
        c.takeEvents();
        CHECK_FALSE(c.reissue(a, Consumer::request("IBM.N")));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::update(3));
        c.provider.send(unsolicited());
        c.provider.send(RawProvider::update(3));
        c.provider.send(RawProvider::refresh(3));
        c.settle();
        CHECK(c.takeEvents() == Strings{"IBM.N UPD", "IBM.N RFSH Open/Ok/0", "IBM.N UPD", "IBM.N RFSH Open/Ok/0"});
    }
    SECTION("one that crosses it in parts") {
        const Handle a = c.openAnswered("IBM.N");
        c.takeEvents();
        CHECK_FALSE(c.reissue(a, Consumer::request("IBM.N")));
        c.expectRequest("IBM.N");
        c.provider.send(unsolicited(false));
        c.provider.send(unsolicited());
        c.provider.send(RawProvider::refresh(3));
        c.settle();
        CHECK(c.takeEvents() == Strings(3, "IBM.N RFSH Open/Ok/0"));
    }
    SECTION("a sharer that waits for its first image gets the answer, not the one that crossed it") {
        c.openAnswered("IBM.N");
        c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.takeEvents();
        c.provider.send(unsolicited());
        c.provider.send(RawProvider::refresh(3));
        c.settle();
        CHECK(c.takeEvents() == Strings{"IBM.N RFSH Open/Ok/0", "B RFSH Open/Ok/0"});
    }
    SECTION("a solicited one that nobody waits for is for those that have the item, all its parts") {
        c.openAnswered("IBM.N");
        c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeEvents();
        c.provider.send(RawProvider::refresh(3));
        c.provider.send(RawProvider::refresh(3, codec::StreamState::open, true, false));
        c.provider.send(RawProvider::refresh(3));
        c.settle();
        CHECK(c.count("IBM.N RFSH Open/Ok/0") == 3);
        CHECK(c.count("B RFSH Open/Ok/0") == 3);
    }
    SECTION("a first one without the flag is taken for the answer that it must be") {
        c.open("IBM.N");
        c.expectRequest("IBM.N");
        c.provider.send(unsolicited());
        c.expectEvent("IBM.N RFSH Open/Ok/0");
        c.clock.advance(c.options.requestTimeout * 2);
        c.settle();
        CHECK(c.takeEvents() == Strings{"IBM.N RFSH Open/Ok/0"});
    }
    SECTION("a provider that answers reissues without the flag: the item goes on when the time is over") {
        const Handle a = c.openAnswered("IBM.N");
        CHECK_FALSE(c.reissue(a, Consumer::request("IBM.N")));
        c.expectRequest("IBM.N");
        c.takeEvents();
        c.takeWire();
        c.provider.send(unsolicited());
        c.expectEvent("IBM.N RFSH Open/Ok/0");
        c.clock.advance(c.options.requestTimeout * 2);
        c.settle();
        c.provider.send(RawProvider::update(3));
        c.settle();
        CHECK(c.takeEvents() == Strings{"IBM.N RFSH Open/Ok/0", "IBM.N UPD"});
        CHECK(c.provider.wire.empty());
    }
}

TEST_CASE("Closing inside callbacks", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    std::vector<Handle> handles;
    for (const char* label : {"A", "B", "C"})
        handles.push_back(c.open(label, Consumer::request("IBM.N")));
    const auto id = c.expectRequest("IBM.N").streamId;
    c.settle();
    c.takeWire();
    c.provider.inbox.clear();

    SECTION("the next one: it gets nothing any more") {
        c.hook = [&](const codec::Msg&, const Recipient& to) {
            if (to.handle == handles[0]) c.close(handles[1]);
        };
        c.provider.send(RawProvider::refresh(id));
        c.expectEvent("C RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "C RFSH Open/Ok/0"});
    }
    SECTION("all of them, from the first one's callback") {
        c.hook = [&](const codec::Msg&, const Recipient&) {
            for (const Handle h : handles)
                c.close(h);
        };
        c.provider.send(RawProvider::refresh(id));
        c.expectEvent("A RFSH Open/Ok/0");
        c.settle();
        CHECK(c.takeEvents().size() == 1);
        CHECK(c.provider.wire.back().starts_with("CLOSE"));
    }
    SECTION("itself and open again: a new stream") {
        c.close(handles[1]);
        c.close(handles[2]);
        bool done = false;
        c.hook = [&](const codec::Msg&, const Recipient& to) {
            if (std::exchange(done, true)) return;
            c.close(to.handle);
            c.open("again", Consumer::request("IBM.N"));
        };
        c.provider.send(RawProvider::refresh(id));
        c.until([&] { return done; });
        const codec::Msg next = c.expectRequest("IBM.N");
        CHECK(next.streamId != id);
        c.provider.send(RawProvider::refresh(next.streamId));
        c.expectEvent("again RFSH Open/Ok/0");
    }
    SECTION("on the final status") {
        c.hook = [&](const codec::Msg&, const Recipient&) {
            for (const Handle h : handles)
                c.close(h);
        };
        c.provider.send(RawProvider::status(id, codec::StreamState::closed, codec::DataState::suspect));
        c.expectEvent("A STAT Closed/Suspect/0");
        c.settle();
        CHECK(c.events.size() == 1);
        // The sharers' priority may have crossed the end, and opened the stream again over there.
        CHECK(c.provider.wire == Strings{"CLOSE 3 d6 0x0"});
    }
    SECTION("on a recoverable end: nothing is asked for again") {
        c.hook = [&](const codec::Msg&, const Recipient&) {
            for (const Handle h : handles)
                c.close(h);
        };
        c.provider.send(RawProvider::status(id, codec::StreamState::closedRecover, codec::DataState::suspect));
        c.expectEvent("A STAT Open/Suspect/0");
        c.settle();
        CHECK(c.provider.wire == Strings{"CLOSE 3 d6 0x0"});
    }
}

TEST_CASE("Posts and acks", "[reactor][consumer][posts]") {
    Consumer c;
    c.options.maxOutstandingPosts = 2;
    c.options.msgKeyInUpdates = GENERATE(true, false);
    c.ready();
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
    post.postId = 1;
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;

    SECTION("not before the stream is established") {
        const Handle h = c.open("IBM.N");
        CHECK(c.post(h, post));
    }
    SECTION("limit, answer, timeout") {
        const Handle h = c.openAnswered("IBM.N");
        CHECK_FALSE(c.post(h, post));
        CHECK(c.post(h, post));  // the same id is waiting
        post.postId = 2;
        CHECK_FALSE(c.post(h, post));
        post.postId = 3;
        const Refusal third = c.post(h, post);
        CHECK(third.text.find("limit") != std::string::npos);
        ack.streamId = 3;
        ack.ackId = 1;
        std::vector<std::string> named;  // the provider's acks have no key; the application gets one all the same
        c.hook = [&](const codec::Msg& m, const Recipient&) {
            if (m.cls == codec::MsgClass::Ack && m.hasKey()) named.emplace_back(eta::asText(m.key.name));
        };
        c.provider.send(ack);
        c.provider.send(ack);  // a second one answers nothing
        c.expectEvent("IBM.N ACK 1");
        c.clock.advance(c.options.postAckTimeout);
        c.expectEvent("IBM.N ACK 2 nak 6");
        CHECK(named == std::vector<std::string>{"IBM.N", "IBM.N"});
        ack.ackId = 2;
        c.provider.send(ack);
        c.settle();
        CHECK(c.count("IBM.N ACK 1") == 1);
        CHECK(c.count("IBM.N ACK 2") == 0);
    }
    SECTION("an id is used by one post at a time, also with sequence numbers") {
        const Handle h = c.openAnswered("IBM.N");
        post.flags |= codec::PostFlag::seqNum;
        post.seqNum = 1;
        CHECK_FALSE(c.post(h, post));
        post.seqNum = 2;
        CHECK(c.post(h, post));
        ack.streamId = 3;
        ack.ackId = 1;
        ack.flags = codec::AckFlag::seqNum;
        ack.seqNum = 1;
        c.provider.send(ack);
        c.expectEvent("IBM.N ACK 1");
        CHECK_FALSE(c.post(h, post));
    }
    SECTION("the parts of one post wait side by side") {
        const Handle h = c.openAnswered("IBM.N");
        const std::uint16_t common = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::seqNum;
        codec::Msg part = post, whole = post;
        part.flags = static_cast<std::uint16_t>(common | codec::PostFlag::partNum);
        part.seqNum = 1;
        CHECK_FALSE(c.post(h, part));
        CHECK(c.post(h, part));   // the same part
        CHECK(c.post(h, whole));  // not a part
        const bool numbered = GENERATE(true, false);
        codec::Msg last = part;
        last.flags = static_cast<std::uint16_t>(common | codec::PostFlag::complete |
                                                (numbered ? codec::PostFlag::partNum : std::uint16_t{0}));
        last.seqNum = 2;
        last.partNum = 1;
        CHECK_FALSE(c.post(h, last));
        ack.streamId = 3;
        ack.ackId = 1;
        ack.flags = codec::AckFlag::seqNum;
        ack.seqNum = 1;
        c.provider.send(ack);
        c.expectEvent("IBM.N ACK 1");
        part.seqNum = 3;
        CHECK(c.post(h, part));  // the post is complete already, its last ack is to come
        ack.seqNum = 2;
        c.provider.send(ack);
        c.until([&] { return c.count("IBM.N ACK 1") == 2; });
        CHECK_FALSE(c.post(h, whole));
        c.clock.advance(c.options.postAckTimeout);
        c.expectEvent("IBM.N ACK 1 nak 6");
        CHECK_FALSE(c.post(h, whole));
    }
    SECTION("an ack goes to the sharer that posted") {
        c.openAnswered("IBM.N");
        const Handle b = c.open("B", Consumer::request("IBM.N"));
        c.expectRequest("IBM.N");
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("B RFSH Open/Ok/0");
        c.takeEvents();
        CHECK_FALSE(c.post(b, post));
        ack.streamId = 3;
        ack.ackId = 1;
        c.provider.send(ack);
        c.expectEvent("B ACK 1");
        CHECK(c.events.size() == 1);
    }
    SECTION("off-stream: on the login stream, the ack to every login client") {
        const Handle a = c.open("a", Consumer::request("user", 1), {});
        c.open("b", Consumer::request("user", 1), {});
        CHECK(c.post(a, post));  // no key
        post.flags |= codec::PostFlag::msgKey;
        post.key.flags = codec::KeyFlag::name;
        post.key.name = eta::asBytes("POST.N");
        CHECK(c.post(a, post, "NO_SUCH"));
        CHECK_FALSE(c.post(a, post, "DIRECT_FEED"));
        c.until([&] { return !c.provider.inbox.empty(); });
        const auto got = c.provider.take();
        CHECK(got->msg.streamId == 1);
        CHECK(got->msg.domain == 6);
        CHECK(got->msg.key.serviceId == 1);
        ack.streamId = 1;
        ack.domain = 6;
        ack.ackId = 1;
        c.provider.send(ack);
        c.expectEvent("b ACK 1");
        CHECK(c.count("a ACK 1") == 1);
    }
}

TEST_CASE("a key that one sharer asked for does not reach the next one", "[reactor][consumer]") {
    Consumer c;
    c.options.msgKeyInUpdates = false;
    c.ready();
    codec::Msg m = Consumer::request("X");
    m.flags |= codec::RequestFlag::msgKeyInUpdates;
    c.open("with", m);
    const std::int32_t id = c.expectRequest("X").streamId;
    c.open("without", Consumer::request("X"));
    codec::Msg image = RawProvider::refresh(id);
    image.flags &= static_cast<std::uint16_t>(~codec::RefreshFlag::msgKey);
    c.provider.send(image);
    c.expectEvent("without RFSH Open/Ok/0");
    std::vector<std::string> keyed;
    c.hook = [&](const codec::Msg& got, const Recipient& to) {
        if (got.hasKey()) keyed.push_back(c.names[to.handle]);
    };
    codec::Msg update = RawProvider::update(id);
    update.flags &= static_cast<std::uint16_t>(~codec::UpdateFlag::msgKey);
    c.provider.send(update);
    c.expectEvent("without UPD");
    c.provider.send(RawProvider::status(id, codec::StreamState::open, codec::DataState::suspect));
    c.expectEvent("without STAT Open/Suspect/0");
    c.hook = nullptr;
    CHECK(std::count(keyed.begin(), keyed.end(), "with") == 2);
    CHECK(std::count(keyed.begin(), keyed.end(), "without") == 0);
}
