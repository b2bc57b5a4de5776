// A bus in memory that loses, delays, doubles, reorders and cuts, by a seed.
#pragma once

#include "hub/mesh/Bus.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace emissary::test {

/// What goes wrong now; probabilities in percent.
struct BusFaults {
    unsigned loss = 0, twice = 0, reorder = 0;
    bool apart = false;                                          ///< only frames of one subject keep their order
    unsigned lies = 0;                                           ///< says that nobody listens where somebody does
    std::chrono::microseconds leastDelay{100}, mostDelay{2000};  ///< the latter on top of the former
};

/// All nodes' buses and the one clock of them all, which moves in run() only. Frames between two nodes keep their order
/// unless `reorder` says otherwise.
class SimulatedBus {
public:
    using Receive = std::function<void(eta::Bytes)>;
    using Nobody = std::function<void(std::string_view)>;

    SimulatedBus(std::uint64_t seed, std::size_t nodes) : random_(seed), nodes_(nodes) {
        for (std::size_t i = 0; i < nodes; ++i)
            nodes_[i].bus = std::make_unique<NodeBus>(*this, i);
        cut_.assign(nodes * nodes, false);
        latest_.assign(nodes * nodes * kWays, now_);
    }
    [[nodiscard]] hub::mesh::Bus& of(std::size_t node) { return *nodes_[node].bus; }
    [[nodiscard]] eta::TimePoint now() const noexcept { return now_; }
    BusFaults faults;
    std::size_t mostFrame = hub::mesh::kHeaderBytes + hub::mesh::kMostPayload;  ///< longer ones end the program

    /// `nobody`: hears that nobody listens (Bus::publishAsking()); empty: the bus does not say it.
    void begin(std::size_t node, Receive receive, Nobody nobody = {}) {
        nodes_[node].receive = std::move(receive);
        nodes_[node].nobody = std::move(nobody);
    }
    /// Subscriptions and what has come are gone.
    void kill(std::size_t node) {
        Node& n = nodes_[node];
        n.receive = nullptr;
        n.nobody = nullptr;
        n.subjects.clear();
        n.inbox.clear();
        n.stopped = false;
        ++n.life;
    }
    /// Frames wait for it, as in a socket.
    void stop(std::size_t node) { nodes_[node].stopped = true; }
    void resume(std::size_t node) {
        Node& n = nodes_[node];
        n.stopped = false;
        for (const auto& [frame, says] : std::exchange(n.inbox, {}))
            deliver(n, frame, says);
    }
    /// Frames for it were dropped, it hears.
    void lose(std::size_t node) { ++nodes_[node].lost; }
    void cut(std::size_t from, std::size_t to, bool how) { cut_[from * nodes_.size() + to] = how; }
    void heal() {
        cut_.assign(cut_.size(), false);
        faults = {};
    }
    /// Moves the clock and delivers what is due.
    void run(std::chrono::microseconds by) {
        const eta::TimePoint end = now_ + by;
        while (!events_.empty() && events_.top().at <= end) {
            const Event e = events_.top();
            events_.pop();
            now_ = std::max(now_, e.at);
            Node& n = nodes_[e.to];
            if (n.life != e.life) continue;
            if (n.stopped) n.inbox.emplace_back(e.frame, e.saysNobody);
            else deliver(n, e.frame, e.saysNobody);
        }
        now_ = end;
    }
    [[nodiscard]] std::uint64_t frames() const noexcept { return order_; }

private:
    using Frame = std::shared_ptr<const std::vector<std::byte>>;
    struct NodeBus final : hub::mesh::Bus {
        NodeBus(SimulatedBus& bus, std::size_t node) : all(bus), me(node) {}
        void publish(std::string_view subject, eta::Bytes frame) override { all.publish(me, subject, frame); }
        void publishAsking(std::string_view subject, std::string_view nobody, eta::Bytes frame) override {
            publish(subject, frame);
            all.ask(me, subject, nobody);
        }
        void subscribe(std::string_view subject) override { all.nodes_[me].subjects.emplace(subject); }
        void unsubscribe(std::string_view subject) override {
            all.nodes_[me].subjects.erase(all.nodes_[me].subjects.find(subject));
        }
        [[nodiscard]] std::size_t mostFrame() const noexcept override { return all.mostFrame; }
        [[nodiscard]] std::uint64_t lost() const noexcept override { return all.nodes_[me].lost; }
        [[nodiscard]] eta::TimePoint now() const noexcept override { return all.now_; }
        SimulatedBus& all;
        std::size_t me;
    };
    struct Node {
        std::unique_ptr<NodeBus> bus;
        Receive receive;
        Nobody nobody;
        std::set<std::string, std::less<>> subjects;
        std::vector<std::pair<Frame, bool>> inbox;
        bool stopped = false;
        std::uint64_t life = 0, lost = 0;
    };
    struct Event {
        eta::TimePoint at;
        std::uint64_t order, life;
        std::size_t to;
        Frame frame;
        bool saysNobody = false;  // the frame is a subject
        bool operator<(const Event& other) const noexcept {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    [[nodiscard]] unsigned percent() { return static_cast<unsigned>(random_() % 100); }

    [[nodiscard]] static bool fits(std::string_view pattern, std::string_view subject) {
        while (!pattern.empty() || !subject.empty()) {
            const auto p = pattern.substr(0, pattern.find('.')), s = subject.substr(0, subject.find('.'));
            if (p != "*" && p != s) return false;
            pattern.remove_prefix(std::min(pattern.size(), p.size() + 1));
            subject.remove_prefix(std::min(subject.size(), s.size() + 1));
        }
        return true;
    }
    static constexpr std::size_t kWays = 8;
    /// By the first letter behind "emh.1.main.", and the lane.
    [[nodiscard]] static std::size_t wayOf(std::string_view subject) {
        return (static_cast<std::size_t>(subject[11]) +
                (subject[11] == 'w' ? static_cast<std::size_t>(subject.back()) : 0)) %
               kWays;
    }
    void publish(std::size_t from, std::string_view subject, eta::Bytes bytes) {
        if (bytes.size() > mostFrame) std::abort();
        Frame frame;
        for (std::size_t to = 0; to < nodes_.size(); ++to) {
            Node& n = nodes_[to];
            if (!n.receive || cut_[from * nodes_.size() + to]) continue;
            bool wanted = false;
            for (const std::string& s : n.subjects)
                wanted = wanted || fits(s, subject);
            if (!wanted) continue;
            if (!frame) frame = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
            for (unsigned copies = percent() < faults.twice ? 2 : 1; copies != 0; --copies) {
                if (percent() < faults.loss) continue;
                const auto delay =
                    faults.leastDelay +
                    std::chrono::microseconds(random_() % static_cast<std::uint64_t>(faults.mostDelay.count()));
                eta::TimePoint at = now_ + delay;
                eta::TimePoint& latest =
                    latest_[(from * nodes_.size() + to) * kWays + (faults.apart ? wayOf(subject) : 0)];
                if (percent() >= faults.reorder) at = latest = std::max(at, latest);
                events_.push({at, ++order_, n.life, to, frame});
            }
        }
    }
    static void deliver(Node& n, const Frame& frame, bool saysNobody) {
        if (saysNobody && n.nobody) n.nobody(eta::asText(*frame));
        else if (!saysNobody && n.receive) n.receive(*frame);
    }
    /// What a server says whose subscriptions are those of all nodes that live.
    void ask(std::size_t from, std::string_view subject, std::string_view nobody) {
        Node& n = nodes_[from];
        if (!n.nobody) return;
        const auto listens = [&](const Node& other) {
            return other.receive &&
                   std::ranges::any_of(other.subjects, [&](const std::string& s) { return fits(s, subject); });
        };
        if (percent() >= faults.lies && std::ranges::any_of(nodes_, listens)) return;
        const eta::Bytes bytes = eta::asBytes(nobody);
        events_.push({now_ + std::chrono::microseconds(200), ++order_, n.life, from,
                      std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end()), true});
    }

    std::mt19937_64 random_;
    eta::TimePoint now_{std::chrono::hours(1)};
    std::vector<Node> nodes_;
    std::vector<bool> cut_;
    std::vector<eta::TimePoint> latest_;
    std::priority_queue<Event> events_;
    std::uint64_t order_ = 0;
};

}  // namespace emissary::test
