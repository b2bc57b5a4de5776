// Items that nobody has published (hub.md 4.5).
#include "hub/publisher/fixture.h"

#include "support/paths.h"

#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace emissary;
using namespace emissary::test;
using Lines = std::vector<std::string>;
using namespace std::chrono_literals;

namespace {

struct Unknown : PublisherFixture {
    explicit Unknown(UnknownItem policy) : PublisherFixture([policy](ServiceSettings& s) { s.unknownItem = policy; }) {}
    ScriptedPublisher pub{*this};
    Client& anna = client();
};

/// A file that is gone with the test.
struct TestFile {
    explicit TestFile(const std::string& text) : path("templates-" + std::to_string(::getpid()) + ".xml") {
        std::ofstream(path) << text;
    }
    ~TestFile() { std::remove(path.c_str()); }
    std::string path;
};

constexpr const char* kTemplates = R"(<msgFormat>
  <marketPriceMsgList>
    <refreshMsg><dataBody><fieldList entryCount="2">
      <fieldEntry fieldId="22" dataType="RSSL_DT_UINT" data="400"/>
      <fieldEntry fieldId="25" dataType="RSSL_DT_UINT" data="7"/>
    </fieldList></dataBody></refreshMsg>
    <updateMsg><dataBody><fieldList entryCount="1">
      <fieldEntry fieldId="22" dataType="RSSL_DT_UINT" data="401"/>
    </fieldList></dataBody></updateMsg>
  </marketPriceMsgList>
</msgFormat>
)";

[[nodiscard]] eta::dictionary::Dictionary dictionary() {
    eta::dictionary::Dictionary d;
    const auto error = d.parseFields(R"(!tag Filename RWF.DAT
!tag Type 1
!tag Version 4.20.00
BID "BID" 22 NULL INTEGER 17 UINT64 8
ASK "ASK" 25 NULL INTEGER 17 UINT64 8
)",
                                     "test");
    INFO(error.text);
    REQUIRE_FALSE(error);
    return d;
}

}  // namespace

TEST_CASE("close: there is no such item", "[hub][publisher]") {
    Unknown f(UnknownItem::close);
    f.wait(publisher::UnknownItems::kPause + 1ms);  // the publisher has started, and sent nothing
    REQUIRE(f.join(f.anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 Status Closed/Suspect/1"});
    CHECK(f.items.size() == 0);
    CHECK(f.anna.mounts.empty());
    CHECK(f.counts().unknown == 1);
}

TEST_CASE("close: whoever asks while a publisher starts gets the image, or is told when it has started",
          "[hub][publisher]") {
    Unknown f(UnknownItem::close);
    REQUIRE(f.join(f.anna, 5, "IBM"));
    REQUIRE(f.join(f.anna, 6, "NONE"));
    CHECK(f.take().empty());
    Client& late = f.client();
    REQUIRE(f.join(late, 7, "IBM"));
    CHECK(f.take().empty());
    SECTION("images come, with pauses below the limit") {
        for (int i = 0; i < 5; ++i) {
            f.wait(publisher::UnknownItems::kPause - 100ms);
            f.pub.refresh(-1 - i, i == 3 ? "IBM" : "ITEM" + std::to_string(i), {{{22, 1}}});
            f.pub.settle();
            CHECK(f.take().size() == (i == 3 ? 2u : 0u));  // both who asked for it
        }
        f.wait(publisher::UnknownItems::kPause + 1ms);
        CHECK(f.take() == Lines{"0:6 Status Closed/Suspect/1"});
        CHECK(f.anna.mounts.size() == 1);
        REQUIRE(f.join(f.anna, 8, "OTHER"));
        CHECK(f.take() == Lines{"0:8 Status Closed/Suspect/1"});
    }
    SECTION("new items without end") {
        f.flow.leave(f.anna, 5);
        leaveAll(f.flow, late);
        const auto steps = publisher::UnknownItems::kLongest / 500ms - 1;
        for (int i = 0; i < steps; ++i) {
            f.wait(500ms);
            CHECK(f.take().empty());
            f.pub.refresh(-1 - i, "ITEM" + std::to_string(i), {{{22, 1}}});
            f.pub.settle();
        }
        f.wait(1001ms);
        CHECK(f.take() == Lines{"0:6 Status Closed/Suspect/1"});
    }
    SECTION("the one who asked has left, and so does the publisher") {
        leaveAll(f.flow, f.anna);
        leaveAll(f.flow, late);
        CHECK(f.items.size() == 0);
        f.pub.raw.disconnect();
        f.until([&] { return f.counts().losses == 1; });
        f.wait(publisher::UnknownItems::kPause + 1ms);
        CHECK(f.take().empty());
    }
    SECTION("the publisher is lost: what was asked for waits, as for a service that is not there") {
        f.pub.raw.disconnect();
        f.until([&] { return f.counts().losses == 1; });
        f.wait(publisher::UnknownItems::kPause + 1ms);
        Lines told = f.take();
        std::ranges::sort(told);
        CHECK(told == Lines{"0:5 Status Suspect", "0:6 Status Suspect", "1:7 Status Suspect"});
        CHECK(f.anna.mounts.size() == 2);
        ScriptedPublisher again(f);
        again.refresh(-1, "IBM", {{{22, 1}}});
        again.settle();
        told = f.take();
        std::ranges::sort(told);
        CHECK(told ==
              Lines{"0:5 RFSH Ok solicited complete clear {22=1}", "1:7 RFSH Ok solicited complete clear {22=1}"});
        f.wait(publisher::UnknownItems::kPause + 1ms);
        CHECK(f.take().empty());
    }
    SECTION("its service is down: likewise") {
        reactor::rdm::Service s = ScriptedPublisher::service();
        s.state.up = false;
        f.pub.directory({s}, codec::MsgClass::Update, 0, reactor::rdm::DirectoryFilter::state);
        f.pub.settle();
        f.wait(publisher::UnknownItems::kPause + 1ms);
        CHECK(f.take().size() == 3);
        CHECK(f.anna.mounts.size() == 2);
    }
    SECTION("it is lost, and another one goes on: there is no such item") {
        ScriptedPublisher other(f, "other");
        f.pub.raw.disconnect();
        f.until([&] { return f.counts().losses == 1; });
        other.refresh(-1, "IBM", {{{22, 1}}});
        other.settle();
        CHECK(f.take().size() == 2);
        f.wait(publisher::UnknownItems::kPause + 1ms);
        CHECK(f.take() == Lines{"0:6 Status Closed/Suspect/1"});
    }
    SECTION("very many are told in parts") {
        Client& greedy = f.client();
        for (int i = 0; i < 1200; ++i)
            REQUIRE(f.join(greedy, 100 + i, "NO" + std::to_string(i)));
        f.wait(publisher::UnknownItems::kPause + 1ms);
        f.until([&] { return f.out.size() == 1203; });
        CHECK(f.items.size() == 0);
    }
}

TEST_CASE("a publisher that names no dictionaries goes with one that does", "[hub][publisher]") {
    Unknown f(UnknownItem::close);
    ScriptedPublisher other(f, "other", false);
    other.login("other");
    CHECK(other.raw.next().msg.cls == codec::MsgClass::Refresh);
    reactor::rdm::Service s = ScriptedPublisher::service();
    s.info.dictionariesUsed = std::vector<std::string>{"RWFFld", "RWFEnum"};
    other.directory({s});
    other.settle();
    REQUIRE(f.services.find(3) != nullptr);
    CHECK(f.services.find(3)->publishers.size() == 2);
    other.refresh(-1, "IBM", {{{22, 1}}});
    other.settle();
    REQUIRE(f.join(f.anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear {22=1}"});
}

TEST_CASE("wait: suspect until it is published", "[hub][publisher]") {
    Unknown f(UnknownItem::wait);
    REQUIRE(f.join(f.anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 Status Suspect"});
    CHECK(f.late("IBM") == "Status Suspect");
    SECTION("published") {
        f.pub.refresh(-1, "IBM", {{{22, 1}}});
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear {22=1}"});
    }
    SECTION("given up: nothing is left of it") {
        f.flow.leave(f.anna, 5);
        CHECK(f.items.size() == 0);
    }
}

TEST_CASE("suspect: a temporary image, then the real one unsolicited", "[hub][publisher]") {
    Unknown f(UnknownItem::suspect);
    REQUIRE(f.join(f.anna, 5, "IBM"));
    CHECK(f.take() == Lines{"0:5 RFSH Suspect solicited complete clear {}"});
    CHECK(f.item("IBM")->group == 0);
    CHECK(f.late("IBM") == "RFSH Suspect solicited complete clear {}");
    SECTION("published") {
        f.pub.refresh(-1, "IBM", {{{22, 1}}}, codec::RefreshFlag::complete);
        f.pub.settle();
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=1}"});
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    }
    SECTION("given up") {
        f.flow.leave(f.anna, 5);
        CHECK(f.items.size() == 0);
    }
    SECTION("a book is a map without entries") {
        f.take();
        REQUIRE(f.join(f.anna, 6, "BOOK", 7));
        CHECK(f.take() == Lines{"0:6 RFSH Suspect solicited complete clear"});
        CHECK(f.items.find(f.items.keyOf(3, 7, FlowFixture::named("BOOK")))->containerType ==
              static_cast<std::uint8_t>(codec::DataType::Map));
    }
}

TEST_CASE("template: an image from a message file", "[hub][publisher]") {
    const TestFile file(kTemplates);
    const eta::dictionary::Dictionary d = dictionary();
    const publisher::TemplateFile templates(file.path, d);
    const auto* const image = templates.image(6);
    REQUIRE(image != nullptr);
    CHECK(templates.image(7) == nullptr);
    CHECK(templates.image(8) == nullptr);
    codec::FieldListDecoder list;
    REQUIRE(list.start(image->payload).ok());
    Lines fields;
    for (codec::FieldEntry e; list.next(e);) {
        std::uint64_t v = 0;
        const bool blank = codec::decodeUInt(e.data, v) == codec::Decoded::blank;
        fields.push_back(std::to_string(e.fieldId) + "=" + (blank ? "blank" : std::to_string(v)));
    }
    CHECK(fields == Lines{"22=400", "25=7", "3902=blank", "3903=blank", "3904=blank"});

    Unknown f(UnknownItem::fromTemplate);
    SECTION("without a file for the service") {
        REQUIRE(f.join(f.anna, 5, "IBM"));
        CHECK(f.take() == Lines{"0:5 Status Closed/Suspect/1"});
    }
    SECTION("an item of the file's domain is there, and stays") {
        f.supply.unknown().useTemplates("FEED", publisher::TemplateFile(file.path, d));
        f.withoutFields = true;
        REQUIRE(f.join(f.anna, 5, "IBM"));
        CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete clear"});
        f.flow.leave(f.anna, 5);
        REQUIRE(f.item("IBM") != nullptr);
        CHECK(f.item("IBM")->image != 0);
        CHECK(f.late("IBM") == "RFSH Ok solicited complete clear");
        REQUIRE(f.join(f.anna, 4, "IBM", 8));  // the file has no image of that domain
        CHECK(f.take() == Lines{"0:4 Status Closed/Suspect/1"});
    }
    SECTION("a field that the dictionary does not know") {
        eta::dictionary::Dictionary none;
        CHECK_THROWS_WITH(publisher::TemplateFile(file.path, none),
                          Catch::Contains(file.path + ":4") && Catch::Contains("22"));
        CHECK_THROWS(publisher::TemplateFile("no such file", d));
    }
}
