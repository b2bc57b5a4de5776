// The simulated mesh: what hubs do, what happens to them, and what every edge must show.
#include "World.h"

#include <algorithm>

namespace emissary::test {
namespace {

using namespace std::chrono_literals;
using hub::mesh::MeshOptions;

constexpr std::size_t kLarge = 300 * 1024;  // an image in fragments

MeshOptions optionsOf(std::size_t index, std::uint64_t epoch) {
    MeshOptions o;
    o.node = static_cast<std::uint32_t>(0x1000 + index);
    o.epoch = epoch;
    o.wideLanes = 3;
    o.maxPending = 64;
    o.movesATurn = 2;
    o.walkATurn = 3;
    return o;
}

}  // namespace

Truth::Truth(std::size_t items) : history_(items) {
    for (std::size_t i = 0; i < items; ++i)
        history_[i].push_back({i + 1, eta::TimePoint::min()});
}

void Truth::change(std::size_t item, std::uint64_t by, eta::TimePoint now) {
    auto& h = history_[item];
    h.push_back({applied(h.back().value, by), now});
    while (h.size() > 2 && h[1].from < now - 20s)
        h.pop_front();
}

bool Truth::had(std::size_t item, std::uint64_t value, eta::TimePoint since) const {
    const auto& h = history_[item];
    for (std::size_t i = h.size(); i-- > 0;) {
        if (h[i].value == value) return true;
        if (h[i].from <= since) return false;
    }
    return false;
}

SimulatedHub::SimulatedHub(SimulatedBus& bus, std::size_t index, Truth& truth, bool owns, std::string& error)
    : bus_(bus), index_(index), truth_(truth), owns_(owns), error_(error), shown_(truth.items()) {}

void SimulatedHub::start(std::uint64_t epoch) {
    owned_.assign(truth_.items(), {});
    byNumber_.clear();
    itemOf_.clear();
    for (std::size_t i = 0; i < truth_.items(); ++i)
        owned_[i].value = truth_.value(i);
    node_ = std::make_unique<hub::mesh::MeshNode>(bus_.of(index_), *this, *this, optionsOf(index_, epoch));
    bus_.begin(
        index_, [this](eta::Bytes frame) { node_->received(frame); },
        [this](std::string_view subject) { node_->nobodyListens(subject); });
    if (!owns_) return;
    node_->directory().offer("both", {static_cast<std::uint8_t>(index_), true});
    if (index_ == 0) node_->directory().offer("one", {});
}

void SimulatedHub::kill() {
    bus_.kill(index_);
    node_.reset();
    stopped_ = false;
    missed_.clear();
    shown_.assign(truth_.items(), {});
}

void SimulatedHub::stop() {
    stopped_ = true;
    bus_.stop(index_);
}

void SimulatedHub::resume() {
    stopped_ = false;
    for (const auto& [item, by] : std::exchange(missed_, {}))
        changed(item, by);
    bus_.resume(index_);
}

void SimulatedHub::leave(bool leaves) {
    node_->directory().offer("both", {static_cast<std::uint8_t>(index_), true, leaves});
}

void SimulatedHub::changed(std::size_t item, std::uint64_t by, bool many) {
    if (!node_ || !owns_) return;
    if (stopped_) {
        missed_.emplace_back(item, by);
        return;
    }
    Owned& o = owned_[item];
    o.value = applied(o.value, by);
    std::array<std::byte, 8> body;
    eta::storeBe(body.data(), by);
    using Body = hub::mesh::Owner::Body;
    if (o.number != 0) node_->owner().update(o.number, body, many ? Body::many : Body::own);
}

void SimulatedHub::open(std::size_t item) {
    if (wants(item)) return;
    Shown& s = shown_[item];
    s = {};
    s.index = node_->edge().open(service(item), name(item));
    if (itemOf_.size() <= static_cast<std::size_t>(s.index)) itemOf_.resize(static_cast<std::size_t>(s.index) + 1);
    itemOf_[static_cast<std::size_t>(s.index)] = item;
}

void SimulatedHub::close(std::size_t item) {
    if (wants(item)) node_->edge().close(static_cast<std::uint32_t>(shown_[item].index));
    shown_[item] = {};
}

bool SimulatedHub::isCurrent(std::size_t item) const {
    return node_->edge().isCurrent(static_cast<std::uint32_t>(shown_[item].index), bus_.now());
}

void SimulatedHub::tick() {
    node_->tick();
    // What is left of a walk follows in the next turns, and not for ever.
    busy_ = node_->busy() ? busy_ + 1 : 0;
    if (busy_ > kMostBusy) error_ = "a walk over items does not end: hub " + std::to_string(index_);
    if (busy_ != 0) return;
    // The listener has heard of every change.
    for (std::size_t item = 0; item < shown_.size() && error_.empty(); ++item)
        if (wants(item) &&
            node_->edge().item(static_cast<std::uint32_t>(shown_[item].index)).shownOk != isCurrent(item))
            error_ = "a change of its state was not told: " + describe(item);
}

std::string SimulatedHub::describe(std::size_t item) const {
    const auto& i = node_->edge().item(static_cast<std::uint32_t>(shown_[item].index));
    return "hub " + std::to_string(index_) + ", item " + std::to_string(item) + ": phase " +
           std::to_string(static_cast<int>(i.phase)) + ", owner " + std::to_string(i.owner) + ", lane " +
           std::to_string(i.lane) + ", version " + std::to_string(i.version) + " of " + std::to_string(i.seen) +
           ", registration " + std::to_string(i.registration) + ", covered " + std::to_string(i.covered);
}

bool SimulatedHub::wanted(std::uint32_t number, std::string_view service, std::string_view name) {
    if (!owns_ || name.size() < 2 || (service == "one" && index_ != 0)) return false;
    const std::size_t item = std::stoul(std::string(name.substr(1)));
    owned_[item].number = number;
    byNumber_.resize(std::max<std::size_t>(byNumber_.size(), number + 1));
    byNumber_[number] = item;
    return true;
}

void SimulatedHub::writeImage(std::uint32_t number, eta::BeWriter& out) {
    const std::size_t item = byNumber_[number];
    out.write(owned_[item].value);
    if (item != 0) return;
    static const std::vector<std::byte> more(kLarge);
    out.bytes(more);
}

void SimulatedHub::image(std::uint32_t index, std::uint32_t version, eta::Bytes refresh) {
    const std::size_t item = itemOf_[index];
    Shown& s = shown_[item];
    const std::uint32_t ask = node_->edge().item(index).ask;
    if (s.ask == ask && version <= s.version) error_ = "a version went back with an image; " + describe(item);
    if (refresh.size() != (item == 0 ? 8 + kLarge : 8)) error_ = "an image of another length; " + describe(item);
    s.ask = ask;
    s.version = version;
    s.value = eta::loadBe<std::uint64_t>(refresh.data());
}

void SimulatedHub::update(std::uint32_t index, std::uint32_t version, eta::Bytes message) {
    const std::size_t item = itemOf_[index];
    Shown& s = shown_[item];
    if (s.ask != node_->edge().item(index).ask || version <= s.version)
        error_ = "an update out of its order; " + describe(item);
    s.version = version;
    s.value = applied(s.value, eta::loadBe<std::uint64_t>(message.data()));
}

void SimulatedHub::ended(std::uint32_t index, eta::Bytes) {
    error_ = "an item ended; " + describe(itemOf_[index]);
}

World::World(std::uint64_t seed, Owners owners, Groups groups)
    : random_(seed), owners_(owners), groups_(groups), bus_(seed * 7919 + 1, kOwners + kEdges), truth_(kItems) {
    for (std::size_t i = 0; i < kOwners + kEdges; ++i) {
        hubs_.push_back(std::make_unique<SimulatedHub>(bus_, i, truth_, i < kOwners, error_));
        hubs_[i]->start(nextEpoch());
    }
}

void World::update() {
    // Most items change once in a few seconds: then nothing that comes later shows that an update is missing.
    std::size_t item = below(kItems);
    if (item % 3 != 0 && below(40) != 0) item -= item % 3;
    const std::uint64_t by = random_();
    truth_.change(item, by, bus_.now());
    for (std::size_t i = 0; i < kOwners; ++i)
        hubs_[i]->changed(item, by);
}

void World::updateGroup() {
    // The owners have each their own groups: what they have in common is that all of these items change.
    const std::uint64_t group = below(3), by = random_();
    for (std::size_t item = 0; item < kItems; ++item)
        if (item % 3 == group) truth_.change(item, by, bus_.now());
    for (std::size_t i = 0; i < kOwners; ++i)
        for (std::size_t n = 0; n < kItems; ++n) {
            const std::size_t item = i == 0 ? n : kItems - 1 - n;
            if (item % 3 == group) hubs_[i]->changed(item, by, true);
        }
}

void World::wishes() {
    // Often the item that was closed last: what was on the way for it then must not count now.
    const bool again = below(2) != 0;
    const std::size_t e = again ? lastClosed_.first : kOwners + below(kEdges);
    const std::size_t item = again ? lastClosed_.second : below(kItems);
    SimulatedHub& edge = *hubs_[e];
    if (!edge.running()) return;
    // The first items are wanted by all hubs most of the time, the last ones by few.
    if (again || below(kItems) >= item) return edge.open(item);
    edge.close(item);
    lastClosed_ = {e, item};
}

void World::fault() {
    const std::size_t a = below(hubs_.size()), b = below(hubs_.size());
    SimulatedHub& hub = *hubs_[a];
    const std::uint64_t what = below(owners_ == Owners::leave ? 8 : 7);
    ++faults[what];
    switch (what) {
    case 0:
        bus_.faults = {};
        bus_.faults.loss = static_cast<unsigned>(std::array{0, 0, 1, 5, 30}[below(5)]);
        bus_.faults.twice = static_cast<unsigned>(std::array{0, 0, 5, 30}[below(4)]);
        bus_.faults.reorder = static_cast<unsigned>(std::array{0, 0, 2, 20}[below(4)]);
        bus_.faults.apart = below(2) != 0;
        bus_.faults.lies = static_cast<unsigned>(std::array{0, 0, 10, 100}[below(4)]);
        // In quiet times nothing that comes later shows that something is missing.
        busy_ = std::array{700u, 700u, 100u, 20u}[below(4)];
        bus_.faults.mostDelay = std::array<std::chrono::microseconds, 4>{2ms, 2ms, 30ms, 400ms}[below(4)];
        return;
    case 1:
        return bus_.cut(a, b, true);
    case 2:
        bus_.cut(a, b, true);
        return bus_.cut(b, a, true);
    case 3:
        for (std::size_t i = 0; i < hubs_.size(); ++i) {
            bus_.cut(i, a, false);
            bus_.cut(a, i, false);
        }
        return;
    case 4:
        if (hub.running()) hub.stop();
        return;
    case 7:
        // Often both, one soon after the other.
        if (SimulatedHub& owner = *hubs_[b % kOwners]; owner.running()) owner.leave(below(3) != 0);
        return;
    case 5:
        if (!hub.running()) {
            if (below(2) != 0) hub.kill();
            else return hub.resume();
        }
        [[fallthrough]];
    default:
        if (what == 6 && below(3) != 0) return bus_.heal();
        hub.kill();
        hub.start(nextEpoch());
    }
}

/// Times of day are far apart. Now and then the clock went back to any of them, and the file of the epoch is lost.
std::uint64_t World::nextEpoch() {
    constexpr std::uint64_t kApart = 1'000'000'000;
    if (epochs_ > kOwners + kEdges && below(8) == 0) {
        ++wentBack;
        return (1 + below(epochs_)) * kApart + 1000 * wentBack;
    }
    return ++epochs_ * kApart;
}

bool World::advance() {
    ++steps_;
    bus_.run(std::chrono::microseconds(below(4000)));
    for (const auto& hub : hubs_)
        if (hub->running()) hub->tick();
    return check();
}

bool World::check() {
    const eta::TimePoint since = bus_.now() - MeshOptions().proofLasts();
    for (std::size_t e = kOwners; e < hubs_.size() && error_.empty(); ++e) {
        SimulatedHub& edge = *hubs_[e];
        if (!edge.running()) continue;
        for (std::size_t i = 0; i < kItems; ++i) {
            if (!edge.wants(i)) continue;
            ++checked;
            if (!edge.isCurrent(i)) continue;
            ++shownOk;
            if (!truth_.had(i, edge.value(i), since)) error_ = "a wrong value is shown as current; " + edge.describe(i);
        }
    }
    return error_.empty();
}

bool World::step() {
    const std::uint64_t dice = below(1000);
    if (groups_ == Groups::change && below(20) == 0) updateGroup();
    else if (dice < busy_) update();
    else if (dice >= 940) wishes();
    else if (dice >= 936) fault();
    return advance();
}

bool World::recover() {
    bus_.heal();
    for (const auto& hub : hubs_)
        if (!hub->running()) hub->resume();
    const eta::TimePoint healed = bus_.now();
    recoveredIn_ = {};
    const auto allCurrent = [&](bool true_) {
        for (std::size_t e = kOwners; e < hubs_.size(); ++e)
            for (std::size_t i = 0; i < kItems; ++i)
                if (hubs_[e]->wants(i) &&
                    (!hubs_[e]->isCurrent(i) || (true_ && hubs_[e]->value(i) != truth_.value(i)))) {
                    error_ = "not current in the end; " + hubs_[e]->describe(i);
                    return false;
                }
        return true;
    };
    while (!allCurrent(false)) {
        if (bus_.now() - healed > 10s) return false;
        error_.clear();
        update();
        if (!advance()) return false;
    }
    error_.clear();
    recoveredIn_ = bus_.now() - healed;
    for (const eta::TimePoint quiet = bus_.now(); bus_.now() - quiet < 1500ms;)
        if (!advance()) return false;
    return allCurrent(true);
}

std::uint64_t World::sum(Counter hub::mesh::MeshCounts::*count) {
    std::uint64_t total = 0;
    for (const auto& hub : hubs_)
        if (hub->running()) total += (hub->node().counts().*count).get();
    return total;
}

}  // namespace emissary::test
