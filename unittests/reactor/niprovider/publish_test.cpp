// Publishing: handles and streams, services, directories, what the server sends back.
#include "reactor/niprovider/fixture.h"
#include "support/TestPack.h"

using namespace emissary;
using namespace emissary::test;
using Lines = std::vector<std::string>;
using codec::MsgClass;
namespace StreamState = codec::StreamState;
using reactor::rdm::Service;

TEST_CASE("login as a provider, then the configured directory", "[niprovider]") {
    Session s;
    s.publisher.ready();
    const Lines all = s.settle();
    REQUIRE(all.size() == 3);
    CHECK(all[0].starts_with("UP 127.0.0.1"));
    CHECK(all[1] == "LOGIN user role 1 app 256 position 127.0.0.1/net");
    CHECK(all[2] == "DIR RFSH 0 0x148 filter 3: 1 NI_PUB up");
}

TEST_CASE("items are published on negative streams under the application's handles", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    CHECK(p.submit(500, Publisher::refresh("TRI.N")) == PublishFault::none);
    CHECK(p.submit(0, Publisher::refresh("IBM.N")) == PublishFault::none);  // any number will do
    CHECK(p.submit(500, Publisher::update()) == PublishFault::none);
    CHECK(p.submit(500, Publisher::status(StreamState::open)) == PublishFault::none);
    CHECK(p.submit(500, Publisher::message(MsgClass::Generic, {})) == PublishFault::none);
    CHECK(p.role->counters().openItems == 2);
    // SETTLE's marker takes the third stream and gives it back.
    CHECK(s.settle() == Lines{"RFSH -1 d6 0x48 svc 1 TRI.N Open/Ok/0", "RFSH -2 d6 0x48 svc 1 IBM.N Open/Ok/0",
                              "UPD -1 d6 0x0 TRI.N", "STAT -1 d6 0x20 TRI.N Open/Suspect/0", "GEN -1 d6 0x0 TRI.N"});
    CHECK(p.role->describe(500) == "item 500 of service 'NI_PUB' (stream -2, domain 6)");
}

TEST_CASE("a refresh is unsolicited, whatever the application says", "[niprovider]") {
    Session s;
    s.publisher.ready();
    s.settle();
    codec::Msg m = Publisher::refresh("TRI.N");
    m.flags |= codec::RefreshFlag::solicited;
    CHECK(s.publisher.submit(1, m) == PublishFault::none);
    CHECK(s.settle() == Lines{"RFSH -1 d6 0x48 svc 1 TRI.N Open/Ok/0"});
}

TEST_CASE("later messages take domain and service from the item", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    codec::Msg first = Publisher::refresh("TRI.N");
    first.domain = 7;
    CHECK(p.submit(1, first) == PublishFault::none);
    CHECK(p.submit(1, Publisher::message(MsgClass::Update, "TRI.N", -1)) == PublishFault::none);
    CHECK(s.settle() == Lines{"RFSH -1 d7 0x48 svc 1 TRI.N Open/Ok/0", "UPD -1 d7 0x8 svc 1 TRI.N"});
}

TEST_CASE("final states free the item, and its stream id rests", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(2, Publisher::refresh("B")) == PublishFault::none);
    const std::uint8_t end = GENERATE(StreamState::closed, StreamState::closedRecover, StreamState::redirected);
    s.settle();
    CHECK(p.submit(1, Publisher::status(end)) == PublishFault::none);
    CHECK(p.role->counters().openItems == 1);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.submit(3, Publisher::refresh("C")) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE(all.size() == 2);
    CHECK(all[1] == "RFSH -3 d6 0x48 svc 1 C Open/Ok/0");
}

TEST_CASE("what crosses the end of an item reaches no other one", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    s.settle();
    CHECK(p.submit(1, Publisher::status(StreamState::closed)) == PublishFault::none);
    CHECK(p.submit(2, Publisher::refresh("B")) == PublishFault::none);
    for (const MsgClass cls : {MsgClass::Generic, MsgClass::Post, MsgClass::Close}) {
        codec::Msg late = Publisher::message(cls, {}, -1);
        late.streamId = -1;
        CHECK(s.acceptor.send(late) == 1);
    }
    p.until([&] { return p.role->counters().ignored == 3; });
    CHECK(p.role->counters().openItems == 1);
    CHECK(p.submit(2, Publisher::update()) == PublishFault::none);
}

TEST_CASE("an item of domain 0 is an item", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    codec::Msg m = Publisher::refresh("A");
    m.domain = 0;
    CHECK(p.submit(1, m) == PublishFault::none);
    s.settle();
    codec::Msg generic = Publisher::message(MsgClass::Generic, {}, -1);
    generic.streamId = -1;
    generic.domain = 0;
    CHECK(s.acceptor.send(generic) == 1);
    p.until([&] { return p.role->counters().generics + p.role->counters().ignored == 1; });
    CHECK(p.role->counters().generics == 1);
}

TEST_CASE("a non-streaming refresh ends with its last part", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    codec::Msg part = Publisher::refresh("A");
    part.state.stream = StreamState::nonStreaming;
    part.flags &= static_cast<std::uint16_t>(~codec::RefreshFlag::complete);
    CHECK(p.submit(1, part) == PublishFault::none);
    CHECK(p.role->counters().openItems == 1);
    part.flags |= codec::RefreshFlag::complete;
    CHECK(p.submit(1, part) == PublishFault::none);
    CHECK(p.role->counters().openItems == 0);
}

TEST_CASE("what cannot be published", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    CHECK(p.submit(1, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.submit(1, Publisher::message(MsgClass::Generic, "A")) == PublishFault::unknownHandle);
    CHECK(p.submit(1, Publisher::refresh({})) == PublishFault::noService);
    CHECK(p.submit(1, Publisher::refresh("A", -1)) == PublishFault::noService);
    CHECK(p.submit(1, Publisher::refresh("A", 9)) == PublishFault::unknownService);
    CHECK(p.submit(1, Publisher::message(MsgClass::Post, "A")) == PublishFault::notAllowed);
    codec::Msg m = Publisher::refresh("A");
    m.domain = 1;
    CHECK(p.submit(1, m) == PublishFault::notAllowed);
    m.domain = 5;
    CHECK(p.submit(1, m) == PublishFault::badDictionary);
    m.domain = 4;
    CHECK(p.submit(1, m) == PublishFault::badDirectory);
    const auto login = p.openLogin();
    CHECK(p.submit(login, Publisher::refresh("A")) == PublishFault::registeredHandle);
    CHECK(p.role->counters().openItems == 0);
    CHECK(s.settle().empty());

    CHECK(p.directory(2, MsgClass::Refresh, RawProvider::service(2, "OTHER")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A", 2)) == PublishFault::otherService);
    CHECK(p.submit(1, Publisher::refresh("A", 9)) == PublishFault::unknownService);
}

TEST_CASE("updates may come first when the configuration says so", "[niprovider]") {
    Session s;
    s.publisher.options.refreshFirstRequired = false;
    s.publisher.ready();
    s.settle();
    CHECK(s.publisher.submit(1, Publisher::message(MsgClass::Update, "A")) == PublishFault::none);
    CHECK(s.settle() == Lines{"UPD -1 d6 0x8 svc 1 A"});
}

TEST_CASE("posts, generic messages, statuses and closes reach the handle", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(7, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(8, Publisher::refresh("B")) == PublishFault::none);
    s.settle();
    CHECK(s.acceptor.post("A", 1) == 1);
    CHECK(s.acceptor.generic("A") == 1);
    CHECK(s.acceptor.status("A", {StreamState::open, codec::DataState::suspect, 3, {}}) == 1);
    CHECK(s.acceptor.closeItem("A") == 1);
    CHECK(s.acceptor.status("B", {StreamState::closed, codec::DataState::suspect, 0, {}}) == 1);
    p.until([&] { return p.onItems.size() == 5; });
    CHECK(p.onItems == Lines{"7 POST", "7 GEN", "7 STAT Open/Suspect/3", "7 CLOSE", "8 STAT Closed/Suspect/0"});
    CHECK(p.role->counters().openItems == 0);  // both are over
    CHECK(p.role->counters().posts == 1);
    CHECK(p.role->counters().closes == 1);
    CHECK(p.role->counters().statuses == 2);

    // On a stream that does not exist, and a class that has no business there: dropped, told once.
    codec::Msg stray = Publisher::message(MsgClass::Generic, {});
    stray.streamId = -77;
    CHECK(s.acceptor.send(stray) == 1);
    codec::Msg update = Publisher::update();
    update.streamId = 0;
    CHECK(s.acceptor.send(update) == 1);
    p.until([&] { return p.role->counters().ignored == 2; });
    CHECK(p.warnings.size() == 1);
    CHECK(p.onItems.size() == 5);
}

TEST_CASE("generic messages on the directory stream reach the last submitter", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.directory(42, MsgClass::Refresh, RawProvider::service(2, "OTHER")) == PublishFault::none);
    codec::Msg m = Publisher::message(MsgClass::Generic, "ConsumerStatus", -1);
    m.domain = 4;
    m.streamId = 0;
    s.settle();
    CHECK(s.acceptor.send(m) == 1);
    p.until([&] { return p.onItems == Lines{"42 GEN"}; });
}

TEST_CASE("submitted directories are merged into stream 0", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(2, "TWO")) == PublishFault::none);
    CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(3, "THREE")) == PublishFault::none);
    // An image that clears replaces what its own handle published, and nothing else.
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(4, "FOUR"), true) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE(all.size() == 4);
    CHECK(all[0].starts_with("DIR RFSH 0 0x40: 1 NI_PUB up 2 TWO up"));
    CHECK(all[1].starts_with("DIR RFSH 0 0x40: 1 NI_PUB up 2 TWO up 3 THREE up"));
    CHECK(all[2] == "DIR RFSH 0 0x40: 1 NI_PUB up 2 TWO up 3 THREE up 4 FOUR up");
    CHECK(all[3] == "DIR UPD 0 0x80: 1 NI_PUB up 3 THREE up 4 FOUR up");
    CHECK(p.submit(1, Publisher::refresh("A", 4)) == PublishFault::none);
    CHECK(p.submit(2, Publisher::refresh("A", 2)) == PublishFault::unknownService);
}

TEST_CASE("a directory image in several parts", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    const auto part = [&](std::uint16_t id, const char* name, std::uint16_t flags) {
        reactor::GrowingBuffer map;
        REQUIRE(reactor::rdm::Directory::encodeService(map.start(), RawProvider::service(id, name), 0x3F).ok());
        codec::Msg m = Publisher::refresh({});
        m.domain = 4;
        m.flags = flags;
        m.containerType = codec::DataType::Map;
        m.payload = map.view();
        CHECK(p.submit(5, m) == PublishFault::none);
    };
    constexpr std::uint16_t first = codec::RefreshFlag::clearCache, last = codec::RefreshFlag::complete;
    SECTION("merged: what it had goes with the last part, and nobody else's") {
        p.ready();
        s.settle();
        part(2, "TWO", first);
        part(3, "THREE", last);
        part(4, "FOUR", first);
        CHECK(p.role->directory().find("THREE") != nullptr);
        part(2, "TWO", last);
        CHECK(p.role->directory().find("THREE") == nullptr);
        CHECK(s.settle() == Lines{"DIR RFSH 0 0x0: 1 NI_PUB up 2 TWO up",
                                  "DIR RFSH 0 0x40: 1 NI_PUB up 2 TWO up 3 THREE up",
                                  "DIR RFSH 0 0x0: 1 NI_PUB up 2 TWO up 3 THREE up 4 FOUR up",
                                  "DIR RFSH 0 0x40: 1 NI_PUB up 2 TWO up 3 THREE up 4 FOUR up",
                                  "DIR UPD 0 0x80: 1 NI_PUB up 2 TWO up 4 FOUR up"});
    }
    SECTION("on a stream of its own: the server keeps what is not named until the last part") {
        p.options.mergeSourceDirectoryStreams = false;
        p.ready();
        s.settle();
        part(2, "TWO", first);
        part(3, "THREE", last);
        part(4, "FOUR", first);
        CHECK(p.submit(9, Publisher::refresh("A", 2)) == PublishFault::none);
        part(2, "TWO", last);
        CHECK(p.submit(9, Publisher::update()) == PublishFault::none);
        CHECK(s.settle() ==
              Lines{"DIR RFSH -1 0x100: 1 NI_PUB up 2 TWO up", "DIR RFSH -1 0x40: 1 NI_PUB up 2 TWO up 3 THREE up",
                    "DIR RFSH -1 0x100: 1 NI_PUB up 2 TWO up 3 THREE up 4 FOUR up", "RFSH -2 d6 0x48 svc 2 A Open/Ok/0",
                    "DIR RFSH -1 0x40: 1 NI_PUB up 2 TWO up 4 FOUR up", "UPD -2 d6 0x0 A"});
    }
}

TEST_CASE("changes that carry a part of a filter entry are published", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    reactor::GrowingBuffer map;
    codec::MapEncoder services;
    codec::EntryContainerHeader header;
    header.entryType = codec::DataType::FilterList;
    services.begin(map.start(), header, codec::DataType::UInt);
    const std::byte one[] = {std::byte{1}};
    services.beginEntry(codec::MapAction::update, one);
    codec::FilterListEncoder filters;
    filters.begin(map.writer(), codec::DataType::ElementList);
    for (const std::uint8_t id : {std::uint8_t{1}, std::uint8_t{2}}) {
        filters.beginEntry(codec::FilterAction::update, id, codec::DataType::ElementList);
        codec::ElementListEncoder e;
        e.begin(map.writer());
        if (id == 1) e.addAscii("Vendor", "somebody");
        else e.addUInt("AcceptingRequests", 0);
        REQUIRE(e.complete().ok());
        filters.endEntry();
    }
    REQUIRE(filters.complete().ok());
    services.endEntry();
    REQUIRE(services.complete().ok());
    codec::Msg m = Publisher::update();
    m.domain = 4;
    m.containerType = codec::DataType::Map;
    m.payload = map.view();
    CHECK(p.submit(5, m) == PublishFault::none);
    CHECK(s.settle() == Lines{"DIR UPD 0 0x0: 1 NI_PUB up"});
    CHECK(p.role->directory().find("NI_PUB")->info.vendor == "somebody");
    CHECK_FALSE(p.role->directory().find("NI_PUB")->state.acceptingRequests());
}

TEST_CASE("user control: nothing is published until the application does", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.options.directoryByUser = true;
    p.ready();
    CHECK(p.role->directory().empty());
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::unknownService);
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(1, "MINE"), true) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE(all.size() == 4);
    CHECK(all[2] == "DIR RFSH 0 0x140: 1 MINE up");  // alone: verbatim, with CLEAR_CACHE
    CHECK(all[3] == "RFSH -1 d6 0x48 svc 1 A Open/Ok/0");
}

TEST_CASE("separate directory streams", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.options.mergeSourceDirectoryStreams = false;
    p.ready();
    s.settle();
    CHECK(p.directory(5, MsgClass::Update, RawProvider::service(2, "TWO")) == PublishFault::refreshFirst);
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(2, "TWO"), true) == PublishFault::none);
    CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::none);
    Service down = RawProvider::service(2, "TWO");
    down.state.up = false;
    CHECK(p.directory(5, MsgClass::Update, down) == PublishFault::none);
    CHECK(p.submit(5, Publisher::refresh("A", 2)) == PublishFault::notAllowed);  // the handle is a directory's
    CHECK(p.submit(9, Publisher::refresh("A", 2)) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE(all.size() == 4);
    CHECK(all[0].starts_with("DIR RFSH -1 0x140"));
    CHECK(all[1].starts_with("DIR RFSH -2 0x140"));
    CHECK(all[2] == "DIR UPD -1 0x0: 1 NI_PUB up 2 TWO down 3 THREE up");
    CHECK(all[3] == "RFSH -3 d6 0x48 svc 2 A Open/Ok/0");
    // The directory stream's end takes its services along.
    codec::Msg end = Publisher::status(StreamState::closed);
    end.domain = 4;
    CHECK(p.submit(5, end) == PublishFault::none);
    CHECK(p.role->directory().find("TWO") == nullptr);
    CHECK(p.role->directory().find("THREE") != nullptr);
}

TEST_CASE("the server keeps separate directory streams apart", "[niprovider][directory][acceptor]") {
    Session s;
    Publisher& p = s.publisher;
    p.options.mergeSourceDirectoryStreams = false;
    p.ready();
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(2, "TWO"), true) == PublishFault::none);
    CHECK(p.directory(5, MsgClass::Update, RawProvider::service(4, "FOUR")) == PublishFault::none);
    CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::none);
    CHECK(p.submit(9, Publisher::refresh("A", 2)) == PublishFault::none);
    CHECK(p.submit(10, Publisher::refresh("B", 3)) == PublishFault::none);
    CHECK(p.submit(11, Publisher::refresh("C", 2)) == PublishFault::none);
    CHECK(s.settle().back().starts_with("RFSH -5 d6 0x48 svc 2 C"));

    SECTION("a clearing image takes away what its own stream no longer names, and the items with it") {
        CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(4, "FOUR"), true) == PublishFault::none);
        CHECK(p.submit(9, Publisher::update()) != PublishFault::none);
        CHECK(p.submit(10, Publisher::update()) == PublishFault::none);
        CHECK(s.settle() == Lines{"STAT -3 d6 0x20 A ClosedRecover/Suspect/0",
                                  "STAT -5 d6 0x20 C ClosedRecover/Suspect/0",
                                  "DIR RFSH -1 0x140: 1 NI_PUB up 4 FOUR up 3 THREE up", "UPD -4 d6 0x0 B"});
    }
    SECTION("the end of a stream takes away its services alone") {
        codec::Msg end = Publisher::status(StreamState::closed);
        end.domain = 4;
        CHECK(p.submit(5, end) == PublishFault::none);
        CHECK(s.settle() == Lines{"STAT -3 d6 0x20 A ClosedRecover/Suspect/0",
                                  "STAT -5 d6 0x20 C ClosedRecover/Suspect/0",
                                  "DIR STAT -1 0x20: 1 NI_PUB up 3 THREE up"});
    }
    SECTION("a service belongs to the stream whose image named it last") {
        CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(2, "TWO")) == PublishFault::none);
        codec::Msg end = Publisher::status(StreamState::closed);
        end.domain = 4;
        CHECK(p.submit(5, end) == PublishFault::none);
        CHECK(p.submit(9, Publisher::update()) == PublishFault::none);
        CHECK(s.settle() == Lines{"DIR RFSH -2 0x40: 1 NI_PUB up 2 TWO up 4 FOUR up 3 THREE up",
                                  "DIR STAT -1 0x20: 1 NI_PUB up 2 TWO up 3 THREE up", "UPD -3 d6 0x0 A"});
    }
    SECTION("a deleted service ends its items; a new image opens them again") {
        reactor::GrowingBuffer map;
        const std::uint16_t ids[] = {3};
        REQUIRE(reactor::rdm::Directory::encodeDeletes(map.start(), ids).ok());
        codec::Msg gone = Publisher::update();
        gone.domain = 4;
        gone.containerType = codec::DataType::Map;
        gone.payload = map.view();
        CHECK(p.submit(6, gone) == PublishFault::none);
        CHECK(p.directory(6, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::none);
        CHECK(p.submit(10, Publisher::refresh("B", 3)) == PublishFault::none);
        CHECK(s.settle() == Lines{"STAT -4 d6 0x20 B ClosedRecover/Suspect/0",
                                  "DIR UPD -2 0x0: 1 NI_PUB up 2 TWO up 4 FOUR up",
                                  "DIR RFSH -2 0x140: 1 NI_PUB up 2 TWO up 4 FOUR up 3 THREE up",
                                  "RFSH -4 d6 0x48 svc 3 B Open/Ok/0"});
    }
}

TEST_CASE("deleting a service: its items need a refresh to come back", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    reactor::GrowingBuffer map;
    const std::uint16_t ids[] = {1};
    REQUIRE(reactor::rdm::Directory::encodeDeletes(map.start(), ids).ok());
    codec::Msg gone = Publisher::update();
    gone.domain = 4;
    gone.containerType = codec::DataType::Map;
    gone.payload = map.view();
    CHECK(p.submit(3, gone) == PublishFault::none);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.directory(3, MsgClass::Update, RawProvider::service(1, "NI_PUB")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::none);
}

TEST_CASE("deleting several services with one message leaves items of the others", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    for (const std::uint16_t id : std::initializer_list<std::uint16_t>{2, 3, 4})
        CHECK(p.directory(3, MsgClass::Update, RawProvider::service(id, "S" + std::to_string(id))) ==
              PublishFault::none);
    for (const int id : {1, 2, 3, 4})
        CHECK(p.submit(static_cast<std::uint64_t>(id) * 10, Publisher::refresh("A" + std::to_string(id), id)) ==
              PublishFault::none);
    reactor::GrowingBuffer map;
    const std::uint16_t ids[] = {4, 77, 2};
    REQUIRE(reactor::rdm::Directory::encodeDeletes(map.start(), ids).ok());
    codec::Msg gone = Publisher::update();
    gone.domain = 4;
    gone.containerType = codec::DataType::Map;
    gone.payload = map.view();
    CHECK(p.submit(3, gone) == PublishFault::none);
    CHECK(p.submit(10, Publisher::update()) == PublishFault::none);
    CHECK(p.submit(20, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.submit(30, Publisher::update()) == PublishFault::none);
    CHECK(p.submit(40, Publisher::update()) == PublishFault::refreshFirst);
}

TEST_CASE("a broken directory payload is refused and changes nothing", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    codec::Msg m = Publisher::refresh({});
    m.domain = 4;
    m.containerType = codec::DataType::Map;
    const std::byte broken[] = {std::byte{0x02}, std::byte{0x04}, std::byte{0xFF}};
    m.payload = broken;
    CHECK(p.submit(1, m) == PublishFault::badDirectory);
    CHECK(s.settle().empty());
    CHECK(p.role->directory().find("NI_PUB") != nullptr);
}

namespace {

struct PackOf {
    Publisher& p;
    TestPack pack;
    PublishFault add(std::uint64_t handle, const codec::Msg& m) {
        return p.locked([&] {
            return pack.add(handle, m, [this](std::uint64_t h, codec::Msg& wire, reactor::PackedEffect& effect) {
                return p.role->prepare(h, wire, effect);
            });
        });
    }
    PublishFault submit(std::uint64_t connection) {
        return p.locked(
            [&] { return p.role->submitPacked(connection, pack.body(), pack.messages, pack.changes).fault; });
    }
};

}  // namespace

TEST_CASE("packed messages open items and end them", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(9, Publisher::refresh("OLD")) == PublishFault::none);
    s.settle();
    PackOf of{p, {}};
    CHECK(of.add(1, Publisher::update()) == PublishFault::refreshFirst);
    for (std::uint64_t h = 1; h <= 3; ++h) {
        const std::string name = "ITEM" + std::to_string(h);
        CHECK(of.add(h, Publisher::refresh(name)) == PublishFault::none);
        CHECK(of.add(h, Publisher::update()) == PublishFault::none);
    }
    CHECK(of.add(1, Publisher::refresh("ITEM1", 9)) == PublishFault::unknownService);
    CHECK(of.add(3, Publisher::status(StreamState::closed)) == PublishFault::none);
    CHECK(of.add(3, Publisher::update()) == PublishFault::endsInPack);
    CHECK(of.add(3, Publisher::refresh("ITEM3")) == PublishFault::endsInPack);
    CHECK(of.add(9, Publisher::update()) == PublishFault::none);
    // Nothing of it has happened.
    CHECK(p.role->counters().openItems == 1);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::refreshFirst);
    const std::uint64_t connection = p.role->connectionNumber();
    CHECK(of.submit(connection + 1) == PublishFault::noChannel);
    CHECK(p.role->counters().openItems == 1);

    CHECK(of.submit(connection) == PublishFault::none);
    CHECK(p.role->counters().openItems == 3);
    CHECK(s.settle() == Lines{"RFSH -2 d6 0x48 svc 1 ITEM1 Open/Ok/0", "UPD -2 d6 0x0 ITEM1",
                              "RFSH -3 d6 0x48 svc 1 ITEM2 Open/Ok/0", "UPD -3 d6 0x0 ITEM2",
                              "RFSH -4 d6 0x48 svc 1 ITEM3 Open/Ok/0", "UPD -4 d6 0x0 ITEM3",
                              "STAT -4 d6 0x20 ITEM3 Closed/Suspect/0", "UPD -1 d6 0x0 OLD"});
    CHECK(p.submit(2, Publisher::update()) == PublishFault::none);
    CHECK(p.submit(3, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(s.settle() == Lines{"UPD -3 d6 0x0 ITEM2"});
}

TEST_CASE("a pack of items that is given up has changed nothing", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    {
        PackOf of{p, {}};
        CHECK(of.add(1, Publisher::status(StreamState::closed)) == PublishFault::none);
        CHECK(of.add(2, Publisher::refresh("B")) == PublishFault::none);
    }
    CHECK(p.role->counters().openItems == 1);
    CHECK(p.submit(1, Publisher::update()) == PublishFault::none);
    CHECK(p.submit(2, Publisher::update()) == PublishFault::refreshFirst);
    CHECK(p.submit(2, Publisher::refresh("B")) == PublishFault::none);
    const Lines all = s.settle();
    REQUIRE_FALSE(all.empty());
    CHECK(all.back() == "RFSH -2 d6 0x48 svc 1 B Open/Ok/0");
}

TEST_CASE("an item that was opened while its pack waited keeps its stream", "[niprovider]") {
    Session s;
    Publisher& p = s.publisher;
    p.ready();
    s.settle();
    PackOf of{p, {}};
    CHECK(of.add(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(of.submit(p.role->connectionNumber()) == PublishFault::none);
    CHECK(p.role->counters().openItems == 1);
    CHECK(s.settle() == Lines{"RFSH -1 d6 0x48 svc 1 A Open/Ok/0", "RFSH -1 d6 0x48 svc 1 A Open/Ok/0"});
}

TEST_CASE("a directory image that finds no room changes nothing", "[niprovider][directory]") {
    Session s;
    Publisher& p = s.publisher;
    p.options.channels[0].connect.guaranteedOutputBuffers = 10;
    p.ready();
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(2, "TWO")) == PublishFault::none);
    CHECK(p.submit(1, Publisher::refresh("A")) == PublishFault::none);
    s.settle();
    const std::vector<std::byte> content(5000);
    codec::Msg large = Publisher::update();
    large.containerType = codec::DataType::Opaque;
    large.payload = content;
    PublishFault fault = PublishFault::none;
    for (int i = 0; i < 100'000 && fault == PublishFault::none; ++i)
        fault = p.submit(1, large);
    REQUIRE(fault == PublishFault::noBuffers);
    while (p.submit(1, Publisher::update()) == PublishFault::none) {}  // nor is there room for a small one
    CHECK(p.directory(5, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::noBuffers);
    CHECK(p.role->directory().find("TWO") != nullptr);
    CHECK(p.role->directory().find("THREE") == nullptr);
    p.until([&] {
        return p.directory(5, MsgClass::Refresh, RawProvider::service(3, "THREE"), true) == PublishFault::none;
    });
    CHECK(p.role->directory().find("TWO") == nullptr);
    CHECK(p.role->directory().find("THREE") != nullptr);
    CHECK(p.role->directory().find("NI_PUB") != nullptr);
}
