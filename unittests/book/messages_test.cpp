// The rows of docs/spec/order-books.md 3.1, 3.4 and 3.5, each as it is read from bytes and through the public walk.
#include "support.h"

using namespace booktest;

namespace {

const std::vector<Entry> kTwoOrders = {{kAdd, "b1", {price(1000), bid(), size(5)}},
                                       {kAdd, "a1", {price(1010), ask(), size(7)}}};
const Flags kFirstPart{.complete = false, .part = 0};

Flags part(int n, bool last) {
    return {.clear = false, .complete = last, .part = n};
}

}  // namespace

TEST_CASE("A complete image makes a book live and is told once", "[book]") {
    Twice t;
    CHECK(t.book().state() == State::empty);
    t.refresh(kTwoOrders);
    CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    CHECK(t.heard() == Heard{"reset", "state empty->live unknown"});
    CHECK(t.book().version() == 1);
    CHECK(t.counters().images.get() == 1);

    SECTION("another one with CLEAR_CACHE replaces it") {
        t.refresh({{kAdd, "b2", {price(900), bid(), size(1)}}}, {.solicited = false});
        CHECK(t.levels() == "9.00x1 | ");
        CHECK(t.heard() == Heard{"reset"});
    }
    SECTION("one without CLEAR_CACHE is laid over it") {
        t.refresh({{kAdd, "b2", {price(900), bid(), size(1)}}}, {.clear = false, .solicited = false});
        CHECK(t.levels() == "10.00x5 9.00x1 | 10.10x7 ");
    }
    SECTION("with a suspect data state it is stale") {
        t.refresh(kTwoOrders, {.data = 2});
        CHECK(t.book().stale());
        CHECK(t.counters().staled.get() == 1);
    }
    SECTION("one that is non-streaming is live and final") {
        t.refresh(kTwoOrders, {.stream = 2});
        CHECK(t.book().state() == State::live);
        CHECK(t.book().isFinal());
    }
    SECTION("one without any payload empties it") {
        t.refreshRaw({});
        CHECK(t.levels() == "| ");
        CHECK(t.book().state() == State::live);
    }
}

TEST_CASE("Nothing of an image is shown before it is complete", "[book]") {
    Twice t;
    t.refresh({kTwoOrders[0]}, kFirstPart);
    CHECK(t.book().state() == State::building);
    CHECK(t.levels() == "| ");
    CHECK(t.heard() == Heard{"state empty->building unknown"});
    t.update({{kAdd, "b2", {price(999), bid(), size(3)}}});
    CHECK(t.levels() == "| ");
    CHECK(t.heard().empty());
    t.refresh({kTwoOrders[1]}, part(1, true));
    CHECK(t.levels() == "10.00x5 9.99x3 | 10.10x7 ");
    CHECK(t.heard() == Heard{"reset", "state building->live unknown"});

    SECTION("the old one stays visible, and updates between the parts go to the new one") {
        t.refresh({{kAdd, "n1", {price(500), bid(), size(1)}}}, kFirstPart);
        CHECK(t.levels() == "10.00x5 9.99x3 | 10.10x7 ");
        CHECK(t.book().state() == State::building);
        t.update({{kUpdate, "n1", {size(2)}}});
        CHECK(t.levels() == "10.00x5 9.99x3 | 10.10x7 ");
        t.refresh({{kAdd, "n2", {price(600), ask(), size(1)}}}, part(1, false));
        t.refresh({}, part(2, true));
        CHECK(t.levels() == "5.00x2 | 6.00x1 ");
    }
    SECTION("an image begun anew forgets the parts before") {
        t.refresh({{kAdd, "n1", {price(500), bid(), size(1)}}}, kFirstPart);
        t.refresh({{kAdd, "n2", {price(501), bid(), size(1)}}}, kFirstPart);
        t.refresh({}, part(1, true));
        CHECK(t.levels() == "5.01x1 | ");
    }
    SECTION("a part that was missed keeps it from completing, and an image is asked for once") {
        t.refresh({{kAdd, "n1", {price(500), bid(), size(1)}}}, kFirstPart);
        CHECK(t.refresh({}, part(2, false)) == book::Verdict::askImage);
        CHECK(t.refresh({}, part(4, true)) == book::Verdict::fine);
        CHECK(t.book().state() == State::building);
        CHECK(t.levels() == "10.00x5 9.99x3 | 10.10x7 ");
        CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::partGap)].get() == 1);
        CHECK(t.counters().imagesAsked.get() == 1);
        t.refresh(kTwoOrders);
        CHECK(t.book().state() == State::live);
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    }
}

TEST_CASE("With visibleWhileBuilding the parts are shown as they come", "[book]") {
    Twice t(Kind::orders, {.visibleWhileBuilding = true});
    t.refresh({kTwoOrders[0]}, kFirstPart);
    CHECK(t.levels() == "10.00x5 | ");
    CHECK(t.heard() == Heard{"reset", "state empty->building unknown"});
    t.refresh({kTwoOrders[1]}, part(1, false));
    CHECK(t.heard() == Heard{"changed +ask 10.10@0 0->7 x0->1"});
    t.update({{kUpdate, "b1", {size(4)}}});
    CHECK(t.heard() == Heard{"changed ~bid 10.00@0 5->4 x1->1"});
    t.refresh({}, part(2, true));
    CHECK(t.heard() == Heard{"reset", "state building->live unknown"});
}

TEST_CASE("Updates that are not to be applied are counted", "[book]") {
    Twice t;
    t.update(kTwoOrders);
    CHECK(t.levels() == "| ");
    CHECK(t.counters().updateBeforeImage.get() == 1);
    t.refresh(kTwoOrders);
    t.update({{kDelete, "b1", {}}}, {.doNotCache = true});
    CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    CHECK(t.counters().notToBeCached.get() == 1);
}

TEST_CASE("States come and go with status messages", "[book]") {
    Twice t;
    t.refresh(kTwoOrders);
    static_cast<void>(t.heard());
    SECTION("suspect and back") {
        t.status(1, 2);
        CHECK(t.book().stale());
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
        CHECK(t.heard() == Heard{"state live->stale unknown"});
        t.update({{kUpdate, "b1", {size(6)}}});
        CHECK(t.levels() == "10.00x6 | 10.10x7 ");
        t.status(1, 0);
        CHECK(t.book().stale());
        t.status(1, 1);
        CHECK(t.book().state() == State::live);
        t.status(1, 2);
        t.refresh({kTwoOrders[0]});
        CHECK(t.book().state() == State::live);
        CHECK(t.levels() == "10.00x5 | ");
    }
    SECTION("closed, closed-recoverable and redirected streams end it; the content stays") {
        const int stream = GENERATE(3, 4, 5);
        t.status(static_cast<std::uint8_t>(stream), 2);
        CHECK(t.book().state() == State::closed);
        CHECK(t.book().isFinal());
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
        t.update({{kDelete, "b1", {}}});
        CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    }
    SECTION("CLEAR_CACHE empties it") {
        t.status(1, 1, true);
        CHECK(t.levels() == "| ");
        CHECK(t.heard() == Heard{"reset"});
    }
}

TEST_CASE("A gap of sequence numbers makes a book stale until an image comes", "[book]") {
    Twice t(Kind::orders, {.checkSequence = true});
    t.refresh(kTwoOrders, {.sequence = 10});
    CHECK(t.update({{kUpdate, "b1", {size(6)}}}, {.sequence = 11}) == book::Verdict::fine);
    CHECK(t.book().state() == State::live);
    CHECK(t.book().sequence() == 11u);
    CHECK(t.update({{kUpdate, "b1", {size(8)}}}, {.sequence = 13}) == book::Verdict::askImage);
    CHECK(t.book().stale());
    CHECK(t.levels() == "10.00x8 | 10.10x7 ");
    CHECK(t.update({{kUpdate, "b1", {size(9)}}}, {.sequence = 20}) == book::Verdict::fine);  // asked for already
    SECTION("Open/Ok alone does not make it live: something was missed") {
        t.status(1, 1);
        CHECK(t.book().stale());
    }
    SECTION("the image does, even one that does not say CLEAR_CACHE") {
        t.refresh({kTwoOrders[0]}, {.clear = GENERATE(true, false), .solicited = GENERATE(true, false)});
        CHECK(t.book().state() == State::live);
        CHECK(t.levels() == "10.00x5 | ");
        SECTION("and without a number it begins a new count") {
            CHECK_FALSE(t.book().sequence());
            CHECK(t.update({{kUpdate, "b1", {size(6)}}}, {.sequence = 5}) == book::Verdict::fine);
            CHECK(t.book().state() == State::live);
            CHECK(t.update({{kUpdate, "b1", {size(6)}}}, {.sequence = 7}) == book::Verdict::askImage);
        }
    }
}

TEST_CASE("Without checkSequence numbers are only kept", "[book]") {
    Twice t;
    t.refresh(kTwoOrders, {.sequence = 10});
    CHECK(t.update({{kUpdate, "b1", {size(6)}}}, {.sequence = 20}) == book::Verdict::fine);
    CHECK(t.book().state() == State::live);
    CHECK(t.book().sequence() == 20u);
}

TEST_CASE("A payload that is no map of field lists makes a book stale", "[book]") {
    Twice t;
    t.refresh(kTwoOrders);
    static_cast<void>(t.heard());
    SECTION("a map that breaks off: what came before the break was applied") {
        const std::string whole = map({{kUpdate, "b1", {size(6)}}, {kUpdate, "a1", {size(8)}}});
        CHECK(t.updateRaw(whole.substr(0, whole.size() - 2)) == book::Verdict::askImage);
        CHECK(t.book().stale());
        CHECK(t.levels() == "10.00x6 | 10.10x7 ");
        t.refresh(kTwoOrders);
        CHECK(t.book().state() == State::live);
    }
    SECTION("an image that breaks off") {
        const std::string whole = map(kTwoOrders);
        CHECK(t.refreshRaw(whole.substr(0, whole.size() - 2)) == book::Verdict::askImage);
        CHECK(t.book().stale());
    }
    SECTION("not when repair is left to the program: then it is only stale") {
        Twice left(Kind::orders, {.autoRepair = false});
        left.refresh(kTwoOrders);
        CHECK(left.updateRaw(std::string("\xFF\xFF")) == book::Verdict::fine);
        CHECK(left.book().stale());
    }
}

TEST_CASE("Too many faults in one message make a book stale", "[book]") {
    Twice t(Kind::orders, {.maxFaults = 3});
    t.refresh(kTwoOrders);
    std::vector<Entry> bad;
    for (int i = 0; i != 5; ++i)
        bad.push_back({kAdd, "x" + std::to_string(i), {price(1), size(1)}});
    bad.push_back({kUpdate, "b1", {size(1)}});
    CHECK(t.update(bad) == book::Verdict::askImage);
    CHECK(t.book().stale());
    CHECK(t.levels() == "10.00x5 | 10.10x7 ");
    CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::noSide)].get() == 4);
    CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::tooManyFaults)].get() == 1);
}

TEST_CASE("Faults are told at most once a second for each book", "[book]") {
    static std::chrono::steady_clock::time_point now{};
    Twice t(Kind::orders, {.now = [] { return now; }});
    t.refresh(kTwoOrders);
    const auto told = [&] {
        t.update({{kAdd, "x", {price(1), size(1)}}});
        int n = 0;
        for (const std::string& line : t.heard())
            n += line == "fault noSide x 0";
        return n;
    };
    CHECK(told() == 1);
    CHECK(told() == 0);
    now += std::chrono::milliseconds(999);
    CHECK(told() == 0);
    now += std::chrono::milliseconds(1);
    CHECK(told() == 1);
    CHECK(t.counters().faults[static_cast<std::size_t>(book::Fault::noSide)].get() == 4);
}

TEST_CASE("The trading phase comes from the first field that says something", "[book]") {
    struct Case {
        std::int16_t field;
        std::uint16_t value;
        book::Phase phase;
    };
    const auto c = GENERATE(
        Case{6614, 2, book::Phase::halted}, Case{6614, 3, book::Phase::halted}, Case{6614, 4, book::Phase::preOpen},
        Case{6614, 6, book::Phase::auction}, Case{133, 3, book::Phase::halted}, Case{133, 4, book::Phase::continuous},
        Case{133, 8, book::Phase::closed}, Case{8927, 1, book::Phase::closed}, Case{8927, 2, book::Phase::auction},
        Case{8927, 4, book::Phase::auction}, Case{8927, 5, book::Phase::auction}, Case{8927, 6, book::Phase::auction},
        Case{8927, 12, book::Phase::auction}, Case{8927, 3, book::Phase::continuous},
        Case{8927, 9, book::Phase::halted}, Case{8927, 16, book::Phase::preOpen});
    Twice t;
    t.refresh(kTwoOrders);
    static_cast<void>(t.heard());
    t.update({}, {}, {enumeration(c.field, c.value)});
    CHECK(t.book().phase() == c.phase);
    CHECK(t.book().tradable() == (c.phase == book::Phase::continuous));
    CHECK(t.heard() == Heard{std::string("state live->live ") + name(c.phase)});
    CHECK(t.levels() == "10.00x5 | 10.10x7 ");  // a halt takes nothing away
    t.update({}, {}, {enumeration(6614, 2)});
    CHECK(t.book().phase() == book::Phase::halted);
}

TEST_CASE("Summary data are overlaid field by field", "[book]") {
    Twice t;
    t.refresh(kTwoOrders, {}, {enumeration(15, 840), real(198, 100), text(1026, "EMI.X"), enumeration(6516, 1)});
    CHECK(t.book().summary().currency == 840);
    CHECK(std::string(t.book().summary().stockRic) == "EMI.X");
    CHECK_FALSE(t.book().doubtful());
    t.update({}, {}, {enumeration(6516, 5)});
    CHECK(t.book().doubtful());
    CHECK(t.book().summary().currency == 840);
}

TEST_CASE("With perEntry changes are told entry by entry", "[book]") {
    Twice t(Kind::orders, {.perEntry = true});
    t.refresh(kTwoOrders);
    static_cast<void>(t.heard());
    t.update({{kUpdate, "b1", {size(6)}}, {kDelete, "a1", {}}});
    CHECK(t.heard() == Heard{"changed ~bid 10.00@0 5->6 x1->1", "changed -ask 10.10@0 7->0 x1->0"});
}

TEST_CASE("Without trackChanges the call comes without the list", "[book]") {
    struct Ears : Recorder {
        int calls = 0;
        void onBookChanged(const book::Book&, std::span<const book::Change> changes) override {
            CHECK(changes.empty());
            ++calls;
        }
    } ears;
    book::Store other(ears, {.trackChanges = false});
    book::Book& b = other.add("A", Kind::orders);
    other.apply(b, *ReceivedMsg<ematest::RefreshMsg>(refreshBytes(map(kTwoOrders), {}), &dictionary()));
    other.apply(b, *ReceivedMsg<ematest::UpdateMsg>(updateBytes(map({{kUpdate, "b1", {size(6)}}})), &dictionary()));
    CHECK(ears.calls == 1);
}
