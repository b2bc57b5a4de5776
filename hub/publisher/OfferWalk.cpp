// Goes through the list of offers, a share of each turn.
#include "hub/publisher/OfferWalk.h"

#include <optional>

namespace emissary::hub::publisher {

void OfferWalk::begin() {
    // Some were looked at by rights that have changed since.
    again_ = !left_.empty();
    if (again_) return;
    left_ = hooks_.list();
    if (!left_.empty()) goOn();
}

void OfferWalk::goOn() {
    reactor_.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (!alive.expired()) run();
    });
}

void OfferWalk::run() {
    std::optional<reactor::TurnShare::Piece> piece;
    if (share_ != nullptr) piece.emplace(*share_);
    while (!left_.empty()) {
        const Offered next = left_.back();
        left_.pop_back();
        hooks_.look(next);
        if (piece && !piece->left()) break;
    }
    piece.reset();
    if (!left_.empty()) return goOn();
    left_ = {};  // its memory goes back
    if (std::exchange(again_, false)) begin();
}

}  // namespace emissary::hub::publisher
