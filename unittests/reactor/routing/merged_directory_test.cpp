// The merged directory without sessions around it: ids, names, and what is published of many services when one changes.
#include "routing/MergedDirectory.h"
#include "support/catch.hpp"

#include <map>
#include <random>
#include <vector>

using namespace emissary;
using namespace emissary::reactor;
using reactor::routing::MergedDirectory;
using reactor::routing::MergedService;
namespace Filter = rdm::DirectoryFilter;

namespace {

rdm::Service service(std::uint16_t id, const std::string& name, std::uint64_t load = 0, std::uint8_t domain = 6) {
    rdm::Service s;
    s.id = id;
    s.filters = Filter::info | Filter::state | Filter::load;
    s.info.name = name;
    s.info.capabilities = {domain};
    s.load.loadFactor = load;
    return s;
}

std::vector<std::byte> bytesOf(const rdm::Service& s) {
    GrowingBuffer buffer;
    REQUIRE(rdm::Directory::encodeService(buffer.start(), s, s.filters).ok());
    const eta::Bytes view = buffer.view();
    return {view.begin(), view.end()};
}

/// Sessions' directories, and a directory of somebody who has everything that was published.
class Merging {
public:
    std::vector<rdm::Directory> of;
    MergedDirectory merged;
    rdm::Directory seen;
    std::size_t maps = 0;  ///< published so far

    explicit Merging(std::size_t sessions)
        : of(sessions), merged(sessions, [this](std::size_t i) -> const rdm::Directory& { return of[i]; }) {}

    /// What the session's provider says of a service.
    void say(std::size_t session, const rdm::Service& s, bool change = false) {
        GrowingBuffer buffer;
        REQUIRE(rdm::Directory::encodeService(buffer.start(), s, s.filters, change).ok());
        REQUIRE(of[session].apply(buffer.view(), false).ok());
    }
    void take(std::size_t session, bool there = true) {
        merged.update(session, there);
        merged.publish([this](eta::Bytes map) {
            ++maps;
            REQUIRE(seen.apply(map, false).ok());
        });
    }
    std::map<std::uint16_t, std::vector<std::byte>> shown(const rdm::Directory& d) {
        std::map<std::uint16_t, std::vector<std::byte>> all;
        for (const auto& s : d.services())
            all[s->id] = bytesOf(*s);
        return all;
    }
    /// As somebody gets it who has seen nothing.
    std::map<std::uint16_t, std::vector<std::byte>> whole() {
        rdm::Directory d;
        REQUIRE(d.apply(merged.publishAll(), true).ok());
        return shown(d);
    }
};

}  // namespace

TEST_CASE("merged services have their providers' ids where these are free, else the next free one",
          "[reactor][routing][directory]") {
    constexpr std::uint16_t kServices = 300;
    Merging m(3);
    for (std::uint16_t id = 1; id <= kServices; ++id) {
        REQUIRE(m.of[0].add(service(id, "A" + std::to_string(id))));
        REQUIRE(m.of[1].add(service(id, "B" + std::to_string(id))));
    }
    REQUIRE(m.of[2].add(service(150, "C")));
    REQUIRE(m.of[2].add(service(0xFFFF, "LAST")));
    for (std::size_t session = 0; session < 3; ++session)
        m.take(session);
    for (std::uint16_t id = 1; id <= kServices; ++id) {
        const MergedService* const a = m.merged.find(id);
        REQUIRE(a != nullptr);
        CHECK(a->name == "A" + std::to_string(id));
        const MergedService* const b = m.merged.find(static_cast<std::uint16_t>(kServices + id));
        REQUIRE(b != nullptr);
        CHECK(b->name == "B" + std::to_string(id));
        CHECK(m.merged.find(b->name) == b);
        CHECK(m.merged.member(*b, 1) == m.of[1].find(id));
    }
    CHECK(m.merged.find("C")->id == 2 * kServices + 1);
    CHECK(m.merged.find("LAST")->id == 0xFFFF);
    CHECK(m.merged.find("C" + std::to_string(1)) == nullptr);
    CHECK(m.merged.find(std::uint16_t{0}) == nullptr);
    // Behind the last id comes the first.
    m.say(2, service(7, "LAST", 0, 8));
    m.say(1, service(0xFFFF, "AROUND"));
    m.take(2);
    m.take(1);
    CHECK(m.merged.find("AROUND")->id == 0);
}

TEST_CASE("when no id is free the service that has it is found by it", "[reactor][routing][directory]") {
    Merging m(2);
    for (std::uint32_t id = 0; id <= 0xFFFF; ++id)
        REQUIRE(m.of[0].add(service(static_cast<std::uint16_t>(id), "A" + std::to_string(id))));
    REQUIRE(m.of[1].add(service(5, "B")));
    m.merged.update(0, true);
    m.merged.update(1, true);
    CHECK(m.merged.find("B")->id == 5);
    CHECK(m.merged.find(std::uint16_t{5})->name == "A5");
    CHECK(m.merged.find(std::uint16_t{0xFFFF})->name == "A65535");
}

TEST_CASE("of services of one name the one that came first is found", "[reactor][routing][directory]") {
    Merging m(3);
    REQUIRE(m.of[0].add(service(9, "FEED")));
    REQUIRE(m.of[1].add(service(3, "FEED", 0, 8)));  // another one
    REQUIRE(m.of[2].add(service(1, "FEED", 0, 8)));  // belongs to the second
    for (std::size_t session = 0; session < 3; ++session)
        m.take(session);
    CHECK(m.merged.services().size() == 2);
    CHECK(m.merged.find("FEED")->id == 9);
    CHECK(m.merged.find(std::uint16_t{3})->members == std::vector<std::int32_t>{MergedService::kNone, 3, 1});
    // The first is gone and comes again as the second: its own place stays.
    m.take(0, false);
    CHECK(m.merged.find("FEED")->id == 9);
    m.say(0, service(9, "FEED", 0, 8));
    m.take(0);
    CHECK(m.merged.find(std::uint16_t{3})->members == std::vector<std::int32_t>{9, 3, 1});
}

TEST_CASE("what is published bit by bit is what somebody gets who comes later", "[reactor][routing][directory]") {
    std::mt19937 random(7);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint16_t>(random() % n); };
    Merging m(3);
    for (int i = 0; i < 3000; ++i) {
        const std::size_t session = below(3);
        switch (below(8)) {
        case 0:
            m.of[session].clear();
            m.take(session, below(2) == 0);
            break;
        case 1: {
            GrowingBuffer buffer;
            const std::uint16_t gone[] = {below(12)};
            REQUIRE(rdm::Directory::encodeDeletes(buffer.start(), gone).ok());
            REQUIRE(m.of[session].apply(buffer.view(), false).ok());
            m.take(session);
            break;
        }
        default: {
            rdm::Service s = service(below(12), "S" + std::to_string(below(10)), below(3), below(20) == 0 ? 8 : 6);
            s.state.up = below(4) != 0;
            m.say(session, s);
            if (below(3) != 0) m.take(session);
        }
        }
        if (i % 50 == 0)
            for (std::size_t all = 0; all < 3; ++all)
                m.take(all);
        if (i % 50 == 0) REQUIRE(m.shown(m.seen) == m.whole());
    }
    CHECK(m.maps > 500);
}
