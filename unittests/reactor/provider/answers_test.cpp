// What the role answers by itself: directory and dictionaries.
#include "ProviderFixture.h"

#include "eta/codec/containers.h"
#include "reactor/GrowingBuffer.h"
#include "support/paths.h"

using namespace emissary;
using namespace emissary::test;
using eta::dictionary::Dictionary;

namespace {

std::shared_ptr<const Dictionary> dictionaries() {
    static const std::shared_ptr<const Dictionary> loaded = [] {
        auto d = std::make_shared<Dictionary>();
        const auto fields = d->loadFields(emissary::test::sourcePath("/etc/RDMFieldDictionary"));
        INFO(fields.text);
        REQUIRE_FALSE(fields);
        const auto enums = d->loadEnums(emissary::test::sourcePath("/etc/enumtype.def"));
        INFO(enums.text);
        REQUIRE_FALSE(enums);
        return d;
    }();
    return loaded;
}

ProviderOptions withDictionaries() {
    ProviderOptions options = ProviderFixture::defaults();
    options.dictionaries = {{"RWFFld", ServedDictionary::Kind::fields, dictionaries()},
                            {"RWFEnum", ServedDictionary::Kind::enums, dictionaries()}};
    return options;
}

struct Download {
    Dictionary dictionary;
    int parts = 0;
};

/// Receives both dictionaries, whatever order the parts come in.
Download receive(RawConsumer& c, std::int32_t fields, std::int32_t enums) {
    Download d;
    bool fieldsDone = false, enumsDone = false;
    while (!fieldsDone || !enumsDone) {
        const Received got = c.next();
        REQUIRE(got.msg.cls == codec::MsgClass::Refresh);
        REQUIRE((got.msg.streamId == fields || got.msg.streamId == enums));
        const bool isFields = got.msg.streamId == fields;
        CHECK(got.msg.domain == 5);
        CHECK(got.msg.hasKey());
        CHECK(got.name() == (isFields ? "RWFFld" : "RWFEnum"));
        CHECK(got.msg.has(codec::RefreshFlag::solicited));
        CHECK_FALSE(got.msg.hasPartNum());
        CHECK(got.msg.state.stream == codec::StreamState::open);
        const auto error =
            isFields ? d.dictionary.decodeFields(got.msg.payload) : d.dictionary.decodeEnums(got.msg.payload);
        INFO(error.text);
        REQUIRE_FALSE(error);
        (isFields ? fieldsDone : enumsDone) = got.msg.has(codec::RefreshFlag::complete);
        ++d.parts;
    }
    return d;
}

void checkSame(const Dictionary& a, const Dictionary& b) {
    for (const eta::dictionary::FieldDefinition* field : a.fields()) {
        const auto* other = b.find(field->fieldId);
        REQUIRE(other != nullptr);
        CHECK(field->acronym == other->acronym);
        CHECK(field->type == other->type);
        CHECK((field->enums == nullptr) == (other->enums == nullptr));
    }
    CHECK(a.enumTables().size() == b.enumTables().size());
}

}  // namespace

TEST_CASE("directory answers", "[reactor][provider]") {
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    SECTION("requested and available filters, all services") {
        c.send(RawConsumer::directoryRequest(63));
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(got.msg.streamId == 2);
        CHECK(got.msg.key.filter == 3);
        CHECK(got.msg.has(codec::RefreshFlag::solicited));
        CHECK(got.msg.has(codec::RefreshFlag::complete));
        CHECK(got.msg.has(codec::RefreshFlag::clearCache));
        rdm::Directory d;
        REQUIRE(d.apply(got.msg.payload, true).ok());
        CHECK(d.services().size() == 2);
        CHECK(d.find("DIRECT_FEED")->info.qosRange == true);
        CHECK_FALSE(d.find("CLOSED_FEED")->state.acceptingRequests());
        CHECK(f.app.told.size() == 1);  // the login
    }
    SECTION("one service, an unknown service") {
        codec::Msg m = RawConsumer::directoryRequest(63);
        m.key.flags |= codec::KeyFlag::serviceId;
        m.key.serviceId = 2;
        c.send(m);
        rdm::Directory d;
        Received got = c.next();
        CHECK(got.msg.key.has(codec::KeyFlag::serviceId));
        REQUIRE(d.apply(got.msg.payload, true).ok());
        CHECK(d.services().size() == 1);
        m.streamId = 3;
        m.key.serviceId = 99;
        c.send(m);
        got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        REQUIRE(d.apply(got.msg.payload, true).ok());
        CHECK(d.empty());
    }
    SECTION("a directory of the application goes to the application") {
        ProviderOptions options = ProviderFixture::defaults();
        options.directoryByUser = true;
        ProviderFixture user(options);
        RawConsumer other = user.loggedIn();
        other.send(RawConsumer::directoryRequest(63));
        user.runUntil([&] { return user.app.told.size() == 2; });
        CHECK(user.app.last().msg.domain == 4);
        other.send(RawConsumer::close(2, 4));
        user.runUntil([&] { return user.app.count(Told::What::close) == 1; });
    }
}

TEST_CASE("directory messages of the application", "[reactor][provider]") {
    ProviderFixture f;
    RawConsumer all = f.loggedIn(), one = f.loggedIn(), none = f.loggedIn();
    all.send(RawConsumer::directoryRequest(63));
    (void)all.next();
    codec::Msg m = RawConsumer::directoryRequest(3);
    m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = 2;
    one.send(m);
    (void)one.next();
    all.send(RawConsumer::request(5, 6, "A", 1));
    all.send(RawConsumer::request(6, 6, "B"));
    f.runUntil([&] { return f.app.count(Told::What::request) == 5; });
    const std::uint64_t item = f.app.told[3].event.handle, unnamed = f.app.told[4].event.handle;

    rdm::Service s = *f.role->directory().find(std::uint16_t{1});
    s.filters |= rdm::DirectoryFilter::load;
    s.load.openWindow = 5;
    GrowingBuffer payload;
    codec::Msg update = Application::update();
    update.domain = 4;
    update.containerType = codec::DataType::Map;

    SECTION("an update is filtered for each client and taken over") {
        REQUIRE(rdm::Directory::encodeService(payload.start(), s, 0x3F).ok());
        update.payload = payload.view();
        const SubmitResult r = f.locked([&](ProviderRole& role) { return role.submitToAll(update); });
        CHECK(r.ok());
        CHECK(r.sent == 1);
        const Received got = all.next();
        CHECK(got.msg.cls == codec::MsgClass::Update);
        CHECK(got.msg.streamId == 2);
        CHECK(one.silent());
        CHECK(none.silent());
        CHECK(f.role->directory().find(std::uint16_t{1})->load.openWindow == 5u);
    }
    SECTION("a deleted service takes its items with it, without onClose") {
        const std::uint16_t ids[] = {1};
        REQUIRE(rdm::Directory::encodeDeletes(payload.start(), ids).ok());
        update.payload = payload.view();
        CHECK(f.locked([&](ProviderRole& role) { return role.submitToAll(update); }).ok());
        codec::Msg refresh = Application::refresh();
        CHECK(f.locked([&](ProviderRole& role) { return role.submit(item, refresh); }).fault ==
              SubmitFault::unknownHandle);
        CHECK(f.locked([&](ProviderRole& role) { return role.submit(unnamed, refresh); }).ok());
        CHECK(f.app.count(Told::What::close) == 0);
    }
    SECTION("what is no directory is refused and sent to nobody") {
        const std::byte rubbish[] = {std::byte{1}, std::byte{2}, std::byte{3}};
        update.payload = rubbish;
        CHECK(f.locked([&](ProviderRole& role) { return role.submitToAll(update); }).fault ==
              SubmitFault::badDirectory);
        update.containerType = codec::DataType::FieldList;
        CHECK(f.locked([&](ProviderRole& role) { return role.submitToAll(update); }).fault ==
              SubmitFault::badDirectory);
        CHECK(all.silent());
        CHECK(f.role->directory().services().size() == 2);
    }
}

TEST_CASE("dictionary download", "[reactor][provider]") {
    SECTION("equals the files") {
        ProviderFixture f(withDictionaries());
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        c.send(RawConsumer::dictionaryRequest(4, "RWFEnum"));
        const Download d = receive(c, 3, 4);
        checkSame(*dictionaries(), d.dictionary);
    }
    SECTION("in small parts") {
        ProviderOptions options = withDictionaries();
        options.fieldFragmentBytes = 600;
        options.enumFragmentBytes = 900;
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        c.send(RawConsumer::dictionaryRequest(4, "RWFEnum"));
        const Download d = receive(c, 3, 4);
        CHECK(d.parts > 4);
        checkSame(*dictionaries(), d.dictionary);
    }
    SECTION("to a slow client with hardly any output buffers") {
        ProviderOptions options = withDictionaries();
        options.bind.guaranteedOutputBuffers = 3;
        options.bind.sysSendBufSize = 4096;
        options.fieldFragmentBytes = 2000;
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        for (std::int32_t round = 0; round < 20; ++round) {
            c.send(RawConsumer::dictionaryRequest(10 + 2 * round, "RWFFld"));
            c.send(RawConsumer::dictionaryRequest(11 + 2 * round, "RWFEnum"));
        }
        for (int turns = 0; turns < 200; ++turns)
            f.turn();  // it does not read yet
        int complete = 0;
        while (complete < 40) {
            const Received got = c.next();
            REQUIRE(got.msg.cls == codec::MsgClass::Refresh);
            if (got.msg.has(codec::RefreshFlag::complete)) ++complete;
        }
        CHECK(f.role->counters().overrun == 0);
    }
    SECTION("closed in the middle it stops") {
        ProviderOptions options = withDictionaries();
        options.bind.guaranteedOutputBuffers = 3;
        options.fieldFragmentBytes = 600;
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        c.send(RawConsumer::close(3, 5));
        c.send(RawConsumer::request(5, 5, "marker"));
        while (c.next().msg.streamId != 5) {}
        CHECK(f.role->openStreams() == 1);
    }
    SECTION("refusals carry the code Error") {
        ProviderFixture f(withDictionaries());
        RawConsumer c = f.connect();
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        checkRefusal(c.next(), 3, 28);
        RawConsumer in = f.loggedIn();
        in.send(RawConsumer::dictionaryRequest(3, "Unheard"));
        checkRefusal(in.next(), 3, 28);
    }
    SECTION("by the application") {
        ProviderOptions options = withDictionaries();
        options.dictionaryByUser = true;
        ProviderFixture f(options);
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        f.runUntil([&] { return f.app.told.size() == 2; });
        codec::Msg refresh = Application::refresh();
        refresh.domain = 5;
        const std::uint64_t handle = f.app.last().event.handle;
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, refresh); }).fault == SubmitFault::badDictionary);
        codec::Msg unknown = RawConsumer::dictionaryRequest(4, "RWFFld");
        unknown.key.serviceId = 99;
        c.send(unknown);
        checkRefusal(c.next(), 4, 28);
    }
}
