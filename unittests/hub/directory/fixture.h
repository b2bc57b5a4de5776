// Sources and listeners that write down what they are told.
#pragma once

#include "hub/directory/Groups.h"
#include "hub/directory/Merge.h"
#include "support/catch.hpp"

#include <string>
#include <vector>

namespace emissary::test {

namespace rdm = reactor::rdm;
using hub::Item;
using hub::Service;
using hub::ServiceSettings;
using hub::Source;

struct SomeSource final : Source {
    using Source::Source;
    bool isUp = true;
    [[nodiscard]] bool up() const noexcept override { return isUp; }
    [[nodiscard]] bool takesPosts() const noexcept override { return true; }
    eta::Error post(const hub::Client&, Item*, std::uint16_t, hub::Msg&) override { return {}; }
    eta::Error generic(Item*, hub::Msg&) override { return {}; }
};

struct NoSupply final : hub::Supply {
    void wanted(Item&) override {}
    void refreshWanted(Item&) override {}
    void unwanted(Item&) override {}
    void mountsChanged(Item&) override {}
    void untrusted(Item&) override {}
};

struct Told final : hub::ServiceListener, hub::directory::OfferListener {
    std::vector<std::string> events;
    void onServiceAdded(const Service& s) override { events.push_back("add " + text(s)); }
    void onServiceChanged(const Service& s, std::uint32_t filters) override {
        events.push_back("change " + text(s) + " filters " + std::to_string(filters));
    }
    void onServiceDeleted(std::uint16_t id) override { events.push_back("delete " + std::to_string(id)); }
    void onGroupStatus(const Service& s, eta::Bytes, const eta::codec::State&) override {
        events.push_back("group status " + s.name);
    }
    void onGroupMerged(const Service& s, eta::Bytes, eta::Bytes) override { events.push_back("merged " + s.name); }
    void onServiceData(const Service& s, const rdm::ServiceData& d) override {
        events.push_back("data " + s.name + " " + std::to_string(d.type));
    }
    void onOffer(Service& s, Source& source) override { events.push_back("offer " + s.name + " " + source.name()); }
    void onOfferLost(Service& s, Source& source, bool live) override {
        events.push_back("lost " + s.name + " " + source.name() + (live ? " live" : ""));
    }
    void onServiceGone(Service& s) override { events.push_back("gone " + s.name); }
    std::vector<std::string> take() { return std::exchange(events, {}); }

private:
    static std::string text(const Service& s) {
        return std::to_string(s.merged.id) + " " + s.name + (s.merged.state.up ? " up" : " down") +
               (s.merged.state.acceptingRequests() ? "" : " closed");
    }
};

inline rdm::Service offered(std::uint16_t id, std::string name, std::vector<std::uint8_t> domains = {6}) {
    rdm::Service s;
    s.id = id;
    s.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    s.info.name = std::move(name);
    s.info.capabilities = std::move(domains);
    s.info.dictionariesUsed = {"RWFFld", "RWFEnum"};
    s.info.qos = {eta::codec::kRealtimeTickByTick};
    s.info.isSource = true;
    s.state.accepting = true;
    return s;
}

}  // namespace emissary::test
