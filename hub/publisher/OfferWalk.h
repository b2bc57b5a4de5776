// hub/publisher: a walk through what the publishers of a port offer, after rights have changed.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/TurnShare.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace emissary::hub::publisher {

/// Looks at each offer once, in slices of turns. Stage thread only, with the session lock held.
class OfferWalk {
public:
    struct Offered {
        std::uint64_t publisher = 0;
        std::uint16_t service = 0;  ///< the publisher's number of it
    };
    struct Hooks {
        std::function<std::vector<Offered>()> list;  ///< all offers there are
        std::function<void(const Offered&)> look;    ///< it may be gone by then
    };
    /// Within this share of each turn; null: all in one turn. Both outlive this.
    OfferWalk(reactor::Reactor& reactor, reactor::TurnShare* share, Hooks hooks)
        : reactor_(reactor), share_(share), hooks_(std::move(hooks)) {}
    OfferWalk(const OfferWalk&) = delete;
    OfferWalk& operator=(const OfferWalk&) = delete;

    /// Rights have changed. What is half done is done to its end, and then all of it once more.
    void begin();

private:
    void goOn();
    void run();

    reactor::Reactor& reactor_;
    reactor::TurnShare* const share_;
    const Hooks hooks_;
    bool again_ = false;
    std::vector<Offered> left_;  // the next one last
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::publisher
