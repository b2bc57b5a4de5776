// Data on threads of their own to clients of every kind: RIPC, WebSocket, JSON and TLS, that come, go, die and stall.
#include "disturb.h"
#include "eyes.h"

using namespace emissary;
using namespace emissary::test;

namespace {

/// An Eye that notes what each of its streams was told: a refresh is never older than what came before, an update is
/// the next one.
class Watching {
public:
    Watching(KindsFixture& f, Wire wire, int number) : f_(f), eye_(f, wire, number) {}

    void open(const std::string& name) {
        seen_[++lastStream_].item = name;
        eye_.request(lastStream_, name);
    }
    void close(std::size_t which) {
        if (seen_.empty()) return;
        const auto at = pick(which);
        eye_.close(at->first);
        seen_.erase(at);
    }
    void change(std::size_t which) {
        if (seen_.empty()) return;
        const auto at = pick(which);
        at->second.paused = which % 2 != 0;
        std::uint16_t flags = which % 3 != 0 ? RequestFlag::noRefresh : std::uint16_t{0};
        if (at->second.paused) flags |= RequestFlag::pause;
        eye_.request(at->first, at->second.item, flags);
    }
    void die() {
        eye_.die();
        seen_.clear();
        eye_.connect();
    }
    void read() {
        while (const auto got = eye_.look())
            take(*got);
    }
    /// Until every stream that is not paused has the last value.
    void catchUp() {
        for (auto& [stream, seen] : seen_)
            while (!seen.paused && (!seen.value || *seen.value < f_.values[seen.item]))
                take(eye_.next());
    }
    [[nodiscard]] std::uint64_t updates() const noexcept { return updates_; }

private:
    struct Seen {
        std::string item;
        std::optional<std::uint64_t> value;
        bool paused = false;
    };
    [[nodiscard]] std::map<std::int32_t, Seen>::iterator pick(std::size_t which) {
        return std::next(seen_.begin(), static_cast<std::ptrdiff_t>(which % seen_.size()));
    }
    void take(const Heard& got) {
        const auto at = seen_.find(got.stream);
        if (at == seen_.end() || !got.value) return;
        std::optional<std::uint64_t>& last = at->second.value;
        INFO(eye_.user() << " stream " << got.stream << " has " << last.value_or(0) << ", told " << got.type << " "
                         << *got.value);
        if (got.type == "Refresh") {
            REQUIRE((!last || *got.value >= *last));
        } else {
            REQUIRE(got.type == "Update");
            REQUIRE(last.has_value());
            REQUIRE(*got.value == *last + 1);
            ++updates_;
        }
        last = got.value;
    }

    KindsFixture& f_;
    Eye eye_;
    std::map<std::int32_t, Seen> seen_;
    std::int32_t lastStream_ = 10;
    std::uint64_t updates_ = 0;
};

}  // namespace

TEST_CASE("clients of every kind, on every thread, see every update of what they have open",
          "[hub][relay][json][tls]") {
    KindsFixture f;
    const char* const items[] = {"A", "B", "C", "D"};
    std::vector<std::unique_ptr<Watching>> clients;
    for (int i = 0; i < 10; ++i)
        clients.push_back(std::make_unique<Watching>(f, kWires[i % 5], i));
    disturb(f, clients, items, 11, 3);
    std::uint64_t least = ~0ull;
    for (const auto& w : clients) {
        w->open("A");
        w->catchUp();
        least = std::min(least, w->updates());
    }
    CHECK(f.hub->rooms().clients.size() == clients.size());
    CHECK(least > 0);
}
