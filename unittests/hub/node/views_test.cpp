// Which fields sources are asked for when the clients of an item want different ones (hub.md 5.4).
#include "eta/codec/encoders.h"
#include "fixture.h"

#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/View.h"

using namespace emissary;
using namespace emissary::test;

namespace {

using Fields = std::vector<std::int16_t>;

/// A provider that takes views, behind a hub without a cache.
struct Viewing : HubFixture {
    Viewing()
        : HubFixture([this](HubSettings& s) {
              provider.supportsView = true;
              s.services[0].cache.rule = CachePolicy::Rule::none;
          }) {
        connected();
    }
    /// Fields 22 and 25 are what the provider has; no view without any.
    [[nodiscard]] Msg wanting(std::int32_t stream, const Fields& fields) {
        Msg m = request(stream);
        if (fields.empty()) return m;
        rdm::View view;
        view.fields = fields;
        codec::ElementListEncoder list;
        list.begin(room_.start());
        view.encode(list);
        REQUIRE(list.complete().ok());
        m.flags |= RequestFlag::view;
        m.containerType = codec::DataType::ElementList;
        m.payload = room_.view();
        return m;
    }
    /// The next request for an image; closes and changes of priority are passed over.
    [[nodiscard]] RawProvider::Got requested() {
        for (;;) {
            RawProvider::Got got = asked();
            if (got.msg.cls != MsgClass::Request || got.msg.has(RequestFlag::noRefresh)) continue;
            REQUIRE(codec::decodeMsg(Bytes(got.bytes), got.msg).ok());
            return got;
        }
    }
    /// Nobody asks the provider for anything.
    [[nodiscard]] bool quiet() {
        RawConsumer c = loggedIn("other");
        c.send(request(3, "OTHER"));
        return requested().name() == "OTHER";
    }

private:
    reactor::GrowingBuffer room_;
};

}  // namespace

TEST_CASE("an answer under way for fewer fields is nobody's who wants more", "[hub][node][view]") {
    Viewing f;
    RawConsumer narrow = f.loggedIn("narrow"), wide = f.loggedIn("wide");
    const Fields wanted = GENERATE(Fields{}, Fields{25}, Fields{22, 25});
    narrow.send(f.wanting(5, {22}));
    const RawProvider::Got first = f.requested();
    REQUIRE(first.msg.has(RequestFlag::view));
    wide.send(f.wanting(7, wanted));
    const RawProvider::Got second = f.requested();
    CHECK_FALSE(second.msg.has(RequestFlag::view));
    CHECK(second.msg.streamId != first.msg.streamId);
    f.refresh(first.msg.streamId, 90);  // it crossed the close
    f.refresh(second.msg.streamId, 10);
    CHECK(HubFixture::fields(narrow.next().msg) == "22=10");
    CHECK(HubFixture::fields(wide.next().msg) == (wanted.size() == 1 ? "25=11" : "22=10 25=11"));
    f.update(second.msg.streamId, 20);
    CHECK(HubFixture::fields(narrow.next().msg) == "22=20");
    CHECK(HubFixture::fields(wide.next().msg) == (wanted.size() == 1 ? "25=21" : "22=20 25=21"));
}

TEST_CASE("the same while an open item is asked for anew, and whoever wants the same waits with the others",
          "[hub][node][view]") {
    Viewing f;
    RawConsumer a = f.loggedIn("a"), b = f.loggedIn("b"), c = f.loggedIn("c"), d = f.loggedIn("d");
    a.send(f.wanting(5, {22}));
    const RawProvider::Got first = f.requested();
    d.send(f.wanting(8, {22}));
    // Several threads: it may come after the request that shows the quiet.
    f.until([&f] { return f.hub->rooms().reactor.metrics().value("emissary_hub_mounts") == 2; });
    CHECK(f.quiet());  // asked for already
    f.refresh(first.msg.streamId, 10);
    CHECK(HubFixture::fields(a.next().msg) == "22=10");
    CHECK(HubFixture::fields(d.next().msg) == "22=10");

    b.send(f.wanting(6, {25}));
    const RawProvider::Got both = f.requested();  // on the same stream: no answer to it is under way
    CHECK(both.msg.streamId == first.msg.streamId);
    CHECK(both.msg.has(RequestFlag::view));
    c.send(f.wanting(7, {}));
    const RawProvider::Got all = f.requested();
    CHECK(all.msg.streamId != first.msg.streamId);
    CHECK_FALSE(all.msg.has(RequestFlag::view));
    f.refresh(all.msg.streamId, 20);
    CHECK(HubFixture::fields(b.next().msg) == "25=21");
    const Received whole = c.next();
    CHECK(whole.msg.has(RefreshFlag::solicited));
    CHECK(HubFixture::fields(whole.msg) == "22=20 25=21");
    const Received told = a.next();  // another stream began
    CHECK(told.msg.cls == MsgClass::Refresh);
    CHECK_FALSE(told.msg.has(RefreshFlag::solicited));
    CHECK(HubFixture::fields(told.msg) == "22=20");
}
