// Passes on what goes out to the connections, to the sinks that have mounts on the item, and to observers.
#include "hub/core/Outputs.h"

#include "hub/core/Client.h"
#include "hub/core/live.h"
#include "reactor/memory.h"

#include <algorithm>
#include <cassert>

namespace emissary::hub {

/// Mounts of sinks stand in the lists of items like others. They are also listed here by item, so that a message costs
/// nothing for those of other items, nor for the clients of its own.
class Outputs::Several final : public Deliveries {
public:
    Several(Deliveries& connections, ClientTable& clients) noexcept : connections_(connections), clients_(clients) {
        shareWork(connections);
    }

    // --- Deliveries
    void send(Item& item, const Msg& msg, To to) override {
        connections_.send(item, msg, to);
        if (!onlyConnections) sendToSinks(item, msg, to);
        for (MountObserver* const observer : observers)
            observer->sent(item, msg, to);
    }
    void send(Item& item, const Mount& mount, const Msg& msg) override {
        const Mount one = mount;
        if (Sink* const sink = sinkOf(one)) {
            connectionsHaveIt_ = false;
            return deliver(*sink, item, one, msg);
        }
        connectionsHaveIt_ = true;
        connections_.send(item, mount, msg);
        noteSent(item, one, msg);
    }
    void sendToo(Item& item, const Mount& mount, const Msg& msg) override {
        const Mount one = mount;
        if (Sink* const sink = sinkOf(one)) return deliver(*sink, item, one, msg);
        if (!connectionsHaveIt_) return send(item, mount, msg);  // its first mounts were sinks'
        connections_.sendToo(item, mount, msg);
        noteSent(item, one, msg);
    }
    [[nodiscard]] bool holdsFor(const Item& item, const Mount& mount) const noexcept override {
        return sinkOf(mount) == nullptr && connections_.holdsFor(item, mount);
    }
    void mounted(Item& item, const Mount& mount) override {
        if (sinkOf(mount) != nullptr) add(item, mount);
        connections_.mounted(item, mount);
        if (sinkOf(mount) != nullptr) return;
        for (MountObserver* const observer : observers)
            observer->mounted(item, mount);
    }
    void unmounted(Item& item, const Mount& mount, Leaves how) noexcept override {
        connections_.unmounted(item, mount, how);
        if (Sink* const sink = sinkOf(mount)) {
            if (how != Leaves::forGood) return;
            drop(item, mount);
            return sink->ended(item, mount);
        }
        for (MountObserver* const observer : observers)
            observer->unmounted(item, mount, how);
    }
    void touched(const Item& item) noexcept override { connections_.touched(item); }
    void quietened(Item& item, Mount& mount) noexcept override {
        if (sinkOf(mount) != nullptr) return;
        connections_.quietened(item, mount);
        for (MountObserver* const observer : observers)
            observer->quietened(item, mount);
    }
    void enlivened(const Item& item, const Mount& mount) noexcept override {
        if (sinkOf(mount) != nullptr) return;
        connections_.enlivened(item, mount);
        for (MountObserver* const observer : observers)
            observer->enlivened(item, mount);
    }

    std::vector<MountObserver*> observers;
    std::size_t sinks = 0;
    bool onlyConnections = false;

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    /// A mount of a sink.
    struct Node {
        std::uint32_t client = 0;
        std::int32_t stream = 0;
        std::uint32_t next = kNone;
    };
    [[nodiscard]] Sink* sinkOf(const Mount& mount) const noexcept { return clients_[mount.client].sink; }
    void noteSent(Item& item, const Mount& mount, const Msg& msg) noexcept {
        for (MountObserver* const observer : observers)
            observer->sent(item, mount, msg);
    }
    void deliver(Sink& sink, Item& item, const Mount& mount, const Msg& msg) noexcept {
        if (!onlyConnections) sink.deliver(item, mount, msg);
    }
    void sendToSinks(Item& item, const Msg& msg, To to) noexcept {
        if (item.index >= first_.size()) return;
        for (std::uint32_t at = first_[item.index]; at != kNone; at = nodes_[at].next) {
            Client& client = clients_[nodes_[at].client];
            Mount& mount = item.mounts[client.mounts.find(nodes_[at].stream)->second.at];
            if (isFor(mount, client, item.service, to)) client.sink->deliver(item, mount, msg);
        }
    }
    /// A mount that has changed is there already.
    void add(const Item& item, const Mount& mount) {
        if (first_.size() <= item.index) first_.resize(std::size_t{item.index} + 1, kNone);
        if (free_ == kNone) {
            nodes_.push_back({});
            free_ = static_cast<std::uint32_t>(nodes_.size() - 1);
        }
        std::uint32_t* const place = placeOf(item, mount);
        if (*place != kNone) return;
        // Behind the others: sinks get a message in the order in which they came.
        *place = std::exchange(free_, nodes_[free_].next);
        nodes_[*place] = {mount.client, mount.stream, kNone};
    }
    void drop(const Item& item, const Mount& mount) noexcept {
        if (item.index >= first_.size()) return;
        std::uint32_t* const place = placeOf(item, mount);
        if (*place == kNone) return;  // memory was short when it came
        const std::uint32_t at = std::exchange(*place, nodes_[*place].next);
        nodes_[at].next = std::exchange(free_, at);
    }
    /// What leads to the mount's node, or where that would stand.
    [[nodiscard]] std::uint32_t* placeOf(const Item& item, const Mount& mount) noexcept {
        std::uint32_t* place = &first_[item.index];
        while (*place != kNone && (nodes_[*place].client != mount.client || nodes_[*place].stream != mount.stream))
            place = &nodes_[*place].next;
        return place;
    }

    Deliveries& connections_;
    ClientTable& clients_;
    reactor::ItemVector<std::uint32_t> first_;  // by the item's number
    reactor::ItemVector<Node> nodes_;
    std::uint32_t free_ = kNone;
    bool connectionsHaveIt_ = false;  // the message of the last send() to one mount
};

Outputs::Outputs(Deliveries& connections, ClientTable& clients) noexcept
    : connections_(connections), clients_(clients), to_(&connections) {}

Outputs::~Outputs() {
    assert(!several_ || several_->sinks == 0);
}

Outputs::Several& Outputs::several() {
    if (!several_) several_ = std::make_unique<Several>(connections_, clients_);
    return *several_;
}

Client& Outputs::attach(Sink& sink) {
    Several& several = this->several();
    Client& made = clients_.add(&sink);
    ++several.sinks;
    to_ = &several;
    return made;
}

void Outputs::detach(Client& client) noexcept {
    assert(client.sink != nullptr && client.mounts.empty());
    clients_.remove(client);
    --several_->sinks;
    settle();
}

void Outputs::observe(MountObserver& observer) {
    several().observers.push_back(&observer);
    to_ = several_.get();
}

void Outputs::ignore(MountObserver& observer) noexcept {
    if (!several_) return;
    std::erase(several_->observers, &observer);
    settle();
}

void Outputs::onlyConnections(bool on) noexcept {
    if (several_) several_->onlyConnections = on;
}

void Outputs::settle() noexcept {
    if (several_->sinks == 0 && several_->observers.empty()) to_ = &connections_;
}

}  // namespace emissary::hub
