// Counts, snapshots and histograms, and their texts.
#include "reactor/metrics/Snapshot.h"

#include "support/catch.hpp"

using namespace emissary;
using namespace std::chrono_literals;
using eta::Histogram;
using eta::Level;
using eta::Peak;
using eta::Total;
using reactor::metrics::Snapshot;

namespace {

struct Counts {
    Total<"test_read_total", "bytes", "Bytes \\ of\nall kinds."> read;
    Level<"test_queued", "messages", "Messages \"queued\"."> queued;
    Peak<"test_queued_peak", "messages", "Most that were."> peak;
};

struct Times {
    Histogram<"test_turn_seconds", "How long it took."> turns;
};

}  // namespace

TEST_CASE("A count", "[reactor][metrics]") {
    Counts counts;
    CHECK(counts.read == 0);
    ++counts.read;
    counts.read += 9;
    counts.peak.raiseTo(7);
    counts.peak.raiseTo(3);
    counts.queued = 4;
    counts.queued -= 1;
    CHECK(counts.read == 10);
    CHECK(counts.peak == 7);
    CHECK(counts.queued == 3);
    SECTION("is copied with its value") {
        const Counts copy = counts;
        ++counts.read;
        CHECK(copy.read == 10);
    }
    SECTION("costs eight bytes") {
        CHECK(sizeof(Counts) == 24);
    }
    SECTION("adds up with one alike by its kind") {
        Counts other;
        other.read = 5;
        other.queued = 5;
        other.peak = 5;
        reactor::metrics::merge(counts, other);
        CHECK(counts.read == 15);
        CHECK(counts.queued == 8);
        CHECK(counts.peak == 7);
        SECTION("and leaves out the levels of what has ended") {
            reactor::metrics::merge(counts, other, true);
            CHECK(counts.read == 20);
            CHECK(counts.queued == 8);
        }
    }
}

TEST_CASE("A snapshot", "[reactor][metrics]") {
    Counts counts;
    counts.read = 18446744073709551615u;
    counts.queued = 2;
    counts.peak = 5;
    Snapshot s(reactor::metrics::Labels{{"instance", "A \"b\" \\ c\nd"}});
    s.add(counts);

    SECTION("for Prometheus escapes help texts and label values") {
        CHECK(s.prometheus() == R"(# HELP test_read_total Bytes \\ of\nall kinds.
# TYPE test_read_total counter
test_read_total{instance="A \"b\" \\ c\nd"} 18446744073709551615
# HELP test_queued Messages "queued".
# TYPE test_queued gauge
test_queued{instance="A \"b\" \\ c\nd"} 2
# HELP test_queued_peak Most that were.
# TYPE test_queued_peak gauge
test_queued_peak{instance="A \"b\" \\ c\nd"} 5
)");
    }
    SECTION("as JSON") {
        CHECK(s.json() == R"({"metrics":[
{"name":"test_read_total","kind":"counter","unit":"bytes","meaning":"Bytes \\ of\nall kinds.","samples":[{"labels":{"instance":"A \"b\" \\ c\nd"},"value":18446744073709551615}]},
{"name":"test_queued","kind":"gauge","unit":"messages","meaning":"Messages \"queued\".","samples":[{"labels":{"instance":"A \"b\" \\ c\nd"},"value":2}]},
{"name":"test_queued_peak","kind":"gauge","unit":"messages","meaning":"Most that were.","samples":[{"labels":{"instance":"A \"b\" \\ c\nd"},"value":5}]}
]}
)");
    }
    SECTION("whose labels are names that peers have given steers no terminal") {
        Snapshot hostile(reactor::metrics::Labels{{"service", "A\x1b[2J\r\n\t\x9b\xe2\x82"}});
        hostile.add(counts);
        const std::string escaped = R"(A\\x1B[2J\\x0D\n\\x09\\x9B\\xE2\\x82)";
        CHECK(hostile.prometheus().find("{service=\"" + escaped + "\"}") != std::string::npos);
        CHECK(hostile.text().find("{service=\"" + escaped + "\"}") != std::string::npos);
        CHECK(hostile.json().find(R"({"service":"A\\x1B[2J\\x0D\n\\x09\\x9B\\xE2\\x82"})") != std::string::npos);
    }
    SECTION("as text") {
        Snapshot plain(reactor::metrics::Labels{{"instance", "A"}});
        plain.add(counts, {{"role", "consumer"}});
        CHECK(plain.text() == R"(test_read_total{instance="A",role="consumer"} 18446744073709551615 bytes
test_queued{instance="A",role="consumer"} 2 messages
test_queued_peak{instance="A",role="consumer"} 5 messages
)");
    }
    SECTION("keeps samples with different labels apart, and adds up those with the same") {
        Snapshot two;
        counts.read = 1;
        two.add(counts, {{"channel", "x"}});
        two.add(counts, {{"channel", "y"}});
        counts.peak = 9;
        two.add(counts, {{"channel", "y"}});
        REQUIRE(two.families().size() == 3);
        REQUIRE(two.families()[0].samples.size() == 2);
        CHECK(two.families()[0].samples[1].value == 2);
        CHECK(two.value("test_read_total") == 3u);
        CHECK(two.value("test_queued") == 6u);
        CHECK(two.value("test_queued_peak") == 9u);
        CHECK_FALSE(two.value("test_nothing").has_value());
    }
    SECTION("takes in another one: samples with the same labels add up by their kind") {
        Times times;
        times.turns.record(250ms);
        counts.read = 4;
        Snapshot part;
        part.add(counts, {{"channel", "x"}});
        part.add(times);
        Snapshot all(reactor::metrics::Labels{{"hub", "h"}});
        all.add(part);
        counts.read = 3;
        counts.peak = 2;
        all.add(counts, {{"channel", "x"}});
        all.add(part);
        CHECK(all.value("test_read_total") == 11u);
        CHECK(all.value("test_queued") == 6u);
        CHECK(all.value("test_queued_peak") == 5u);
        CHECK(all.value("test_turn_seconds") == 2u);
        CHECK(all.text().find(R"(test_read_total{hub="h",channel="x"} 11 bytes)") != std::string::npos);
        CHECK(part.value("test_read_total") == 4u);
    }
    SECTION("finds each of many samples again, whatever stands in their labels") {
        Snapshot many(reactor::metrics::Labels{{"instance", "A"}});
        Times times;
        times.turns.record(250ms);
        const auto service = [](int i) { return reactor::metrics::Labels{{"service", "S" + std::to_string(i)}}; };
        const auto addAll = [&](int step) {
            for (int i = 0; i < 3000; i += step) {
                counts.read = static_cast<std::uint64_t>(i);
                many.add(counts, service(i));
                many.add(times, service(i));
            }
        };
        addAll(1);
        addAll(3);
        REQUIRE(many.families().size() == 4);
        const auto check = [&](const std::string& common) {
            for (const auto& family : many.families())
                REQUIRE(family.samples.size() == 3000);
            for (std::size_t i = 0; i < 3000; ++i) {
                const auto& read = many.families()[0].samples[i];
                REQUIRE(read.value == (i % 3 == 0 ? 2 * i : i));
                REQUIRE(many.labels(read) ==
                        reactor::metrics::Labels{{common, "A"}, {"service", "S" + std::to_string(i)}});
                REQUIRE(many.buckets(many.families()[3].samples[i]).nanoseconds ==
                        (i % 3 == 0 ? 500'000'000 : 250'000'000));
            }
        };
        check("instance");
        many.renameLabel("instance", "hub");
        check("hub");
        counts.read = 0;
        many.add(counts, service(17));
        check("hub");
        many.renameLabel("service", "offer");
        many.add(counts, {{"offer", "S17"}});
        CHECK(many.families()[0].samples.size() == 3000);
        many.add(counts, service(17));
        CHECK(many.families()[0].samples.size() == 3001);

        Snapshot alike;
        alike.add(counts, {{"a", "b"}, {"c", "d"}});
        alike.add(counts, {{"a", "b1:c1:d"}});
        alike.add(counts, {{"a", "bc"}, {"", "d"}});
        CHECK(alike.families()[0].samples.size() == 3);
    }
    SECTION("is empty without counts") {
        CHECK(Snapshot().prometheus().empty());
        CHECK(Snapshot().text().empty());
        CHECK(Snapshot().json() == "{\"metrics\":[\n]}\n");
    }
}

TEST_CASE("A histogram", "[reactor][metrics]") {
    Times times;
    times.turns.record(-1ns);
    times.turns.record(1us);  // the bound itself belongs to the bucket
    times.turns.record(1001ns);
    times.turns.record(250ms);
    times.turns.record(2s);
    Snapshot s;
    s.add(times);
    CHECK(s.value("test_turn_seconds") == 5u);

    CHECK(s.prometheus() == R"(# HELP test_turn_seconds How long it took.
# TYPE test_turn_seconds histogram
test_turn_seconds_bucket{le="0.000001"} 2
test_turn_seconds_bucket{le="0.000003"} 3
test_turn_seconds_bucket{le="0.00001"} 3
test_turn_seconds_bucket{le="0.00003"} 3
test_turn_seconds_bucket{le="0.0001"} 3
test_turn_seconds_bucket{le="0.0003"} 3
test_turn_seconds_bucket{le="0.001"} 3
test_turn_seconds_bucket{le="0.003"} 3
test_turn_seconds_bucket{le="0.01"} 3
test_turn_seconds_bucket{le="0.03"} 3
test_turn_seconds_bucket{le="0.1"} 3
test_turn_seconds_bucket{le="0.3"} 4
test_turn_seconds_bucket{le="1"} 4
test_turn_seconds_bucket{le="+Inf"} 5
test_turn_seconds_sum 2.250002001
test_turn_seconds_count 5
)");
    CHECK(s.text() == "test_turn_seconds 5 times, 2.250002001 seconds in all, 50% <= 0.000003, 99% > 1, 99.9% > 1\n");
    const std::string json = s.json();
    CHECK(json.find(R"("kind":"histogram","unit":"seconds")") != std::string::npos);
    CHECK(json.find(R"("count":5,"sum":2.250002001,"buckets":[{"le":0.000001,"count":2},)") != std::string::npos);
    CHECK(json.find(R"({"le":null,"count":1}])") != std::string::npos);
}
