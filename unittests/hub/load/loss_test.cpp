// The loss of thousands of services is worked off in slices: what else happens meanwhile, and that nothing is lost or
// said twice.
#include "many_services.h"

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr std::uint16_t kServices = 12'000;

/// Many services of a source, or of a publisher, all told to a watcher.
class Loss : public ManyServices {
public:
    explicit Loss(bool published, bool deleteLost = true)
        : ManyServices(65'000,
                       [deleteLost](HubSettings& s) {
                           s.serviceDefaults.deleteLostServices = deleteLost;
                           s.sources[0].reconnect.minDelay = s.sources[0].reconnect.maxDelay =
                               std::chrono::milliseconds(1);
                       }),
          published_(published) {
        connected();
        if (published_) publisher.emplace(*this);
        watcher.emplace(*this);
        turns.emplace(*this);
        offer(published_ ? &publisher->wire : nullptr);
        turns->until([this] { return watcher->up() == kServices + few(); }, [this] { watcher->read(); });
        turns->reset();
    }
    /// Services that do not count.
    [[nodiscard]] std::size_t few() const noexcept { return published_ ? 2 : 1; }
    /// The services, in one message: of a publisher, or of the source.
    void offer(RawConsumer* wire) {
        const std::vector<std::byte> map = adds(kServices);
        wire != nullptr ? wire->send(directoryUpdate(map, 0)) : provider.send(directoryUpdate(map, 2));
    }
    /// The source or publisher goes, and its services are partly taken back.
    void lose() {
        published_ ? publisher->wire.disconnect() : provider.disconnect();
        const std::size_t all = here();
        turns->until([this, all] { return here() < all - 200; });
        REQUIRE(here() > few());
    }
    /// Services that are there, and up.
    [[nodiscard]] std::size_t here() {
        std::size_t up = 0;
        hub->rooms().services.forEach([&up](const Service& s) { up += s.up() ? 1 : 0; });
        return up;
    }
    /// That many are up in the end, for the watcher as well.
    void settle(std::size_t up) {
        // Services that come or go in slices may pass this number on their way to another one.
        int still = 0;
        turns->until(
            [&] {
                still = here() == up && watcher->up() == up ? still + 1 : 0;
                return still == 20;
            },
            [this] { watcher->read(); });
        CHECK(watcher->twice == 0);
    }

    std::optional<Publisher> publisher;
    std::optional<Watcher> watcher;
    std::optional<Turns> turns;

private:
    const bool published_;
};

}  // namespace

TEST_CASE("services that are lost go in slices, each once", "[hub][directory]") {
    Loss f(GENERATE(false, true), GENERATE(false, true));
    f.lose();
    f.settle(1);
    CHECK(f.turns->longest < 50);
}

TEST_CASE("services that are lost come back before the last of them is gone", "[hub][directory]") {
    const bool published = GENERATE(false, true);
    const std::size_t back = GENERATE(std::size_t{kServices}, std::size_t{kServices} / 3);
    Loss f(published, GENERATE(false, true));
    for (std::size_t i = 0; i < back; ++i)
        f.provider.services.push_back(
            RawProvider::service(static_cast<std::uint16_t>(kFirst + i), "S" + std::to_string(i)));
    f.lose();
    std::optional<Publisher> other;
    if (published) {
        other.emplace(f);
        f.offer(&other->wire);
        if (back < kServices)  // and most of them are deleted at once
            other->wire.send(
                Loss::directoryUpdate(Loss::deletes(kServices - back, static_cast<std::uint16_t>(kFirst + back)), 0));
    }
    f.settle(f.few() + back);
    CHECK(f.turns->longest < 50);
}

TEST_CASE("clients come and go while services that are lost are taken back", "[hub][directory]") {
    Loss f(GENERATE(false, true), GENERATE(false, true));
    RawConsumer silent = f.loggedIn("silent");
    f.lose();
    silent.send(RawConsumer::directoryRequest(3));
    f.turn();
    silent.disconnect();
    Watcher late(f, "late");
    late.wire.send(RawConsumer::request(9, 6, "ITEM", kFirst + kServices - 1));
    bool answered = false;
    const auto read = [&] {
        f.watcher->read();
        while (const auto got = late.wire.tryNext(std::chrono::milliseconds(0)))
            got->msg.domain == 4 ? late.take(*got) : void(answered = true);
    };
    f.turns->until([&] { return answered && late.up() == 1 && f.watcher->up() == 1; }, read);
    f.settle(1);
    read();
    CHECK(late.twice == 0);
    CHECK(late.known.services().size() == f.watcher->known.services().size());
}

TEST_CASE("a hub ends while services that are lost are taken back", "[hub][directory]") {
    Loss f(GENERATE(false, true));
    f.lose();
    SECTION("at once") {}
    SECTION("while it drains") {
        f.hub->drain();
        f.turn();
    }
    f.hub.reset();
}

TEST_CASE("items of many services that are lost hear of it once, and come back", "[hub][directory]") {
    Loss f(false, false);
    f.provider.automatic.items = true;
    RawConsumer c = f.loggedIn("probe");
    constexpr int kItems = 600;
    for (int i = 0; i < kItems; ++i) {
        const rdm::Service* const s = f.watcher->known.find("S" + std::to_string(i * (kServices / kItems)));
        REQUIRE(s != nullptr);
        c.send(RawConsumer::request(10 + i, 6, "ITEM", s->id));
    }
    std::vector<int> images(kItems), suspects(kItems);
    const auto read = [&] {
        f.watcher->read();
        while (const auto got = c.tryNext(std::chrono::milliseconds(0))) {
            const auto i = static_cast<std::size_t>(got->msg.streamId - 10);
            if (i >= images.size() || !got->msg.hasState()) continue;
            ++(got->msg.state.data == ok ? images : suspects)[i];
            CHECK_FALSE(got->msg.state.isFinal());
        }
    };
    const auto all = [](const std::vector<int>& counts, int goal) {
        return std::ranges::all_of(counts, [goal](int n) { return n >= goal; });
    };
    f.turns->until([&] { return all(images, 1); }, read);
    for (std::size_t i = 0; i < kServices; ++i)
        f.provider.services.push_back(
            RawProvider::service(static_cast<std::uint16_t>(kFirst + i), "S" + std::to_string(i)));
    f.turns->reset();
    f.provider.disconnect();
    f.turns->until([&] { return all(images, 2); }, read);
    f.settle(1 + kServices);
    read();
    CHECK(f.turns->longest < 50);
    CHECK(std::ranges::all_of(suspects, [](int n) { return n == 1; }));
    CHECK(std::ranges::all_of(images, [](int n) { return n == 2; }));
}
