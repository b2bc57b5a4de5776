// LaneIn: holes are kept in the order of their sequences, which is also that of their age.
#include "hub/mesh/LaneIn.h"

#include <algorithm>

namespace emissary::hub::mesh {

LaneIn::Frame LaneIn::received(std::uint64_t sequence, eta::TimePoint now) noexcept {
    if (next_ == 0) {  // nothing is said about what was before
        next_ = sequence;
        giveUp(sequence - 1, now);
    }
    if (sequence >= next_) {
        if (sequence > next_) open(next_, sequence - 1, now);
        next_ = sequence + 1;
        prove();
        return Frame::next;
    }
    for (std::size_t i = 0; i < holes_; ++i) {
        Hole& h = hole_[i];
        if (sequence < h.from || sequence > h.to) continue;
        const Hole behind{sequence + 1, h.to, h.since};
        h.to = sequence - 1;
        const bool split = behind.from <= behind.to;
        if (h.from > h.to) {
            if (split) h = behind;
            else erase(i);
        } else if (split) {
            if (holes_ == kMostHoles) {
                giveUp(hole_[0].to, hole_[0].since);  // the oldest
                if (i == 0) return Frame::repeated;   // given up with it
                --i;
            }
            for (std::size_t j = holes_; j > i + 1; --j)
                hole_[j] = hole_[j - 1];
            hole_[i + 1] = behind;
            ++holes_;
        }
        prove();
        return Frame::late;
    }
    return Frame::repeated;
}

void LaneIn::claimed(std::uint64_t sequence, eta::TimePoint at, eta::TimePoint now) noexcept {
    if (at < claimAt_) return;
    if (next_ == 0) {
        next_ = sequence + 1;
        giveUp(sequence, now);
    } else if (sequence >= next_) {
        open(next_, sequence, now);
        next_ = sequence + 1;
    }
    claim_ = sequence;
    claimAt_ = at;
    prove();
}

void LaneIn::lose(std::uint64_t sequence, eta::TimePoint now) noexcept {
    giveUp(sequence, now);
}

std::optional<LaneIn::Loss> LaneIn::expire(eta::TimePoint before) noexcept {
    while (holes_ != 0 && hole_[0].since <= before)
        giveUp(hole_[0].to, hole_[0].since);
    const auto loss = loss_;
    loss_.reset();
    prove();
    return loss;
}

void LaneIn::open(std::uint64_t from, std::uint64_t to, eta::TimePoint now) noexcept {
    ++gaps_;
    if (holes_ == kMostHoles) giveUp(hole_[0].to, hole_[0].since);
    hole_[holes_++] = {from, to, now};
}

void LaneIn::giveUp(std::uint64_t upTo, eta::TimePoint since) noexcept {
    if (!loss_) loss_ = Loss{since, provenAt_};
    lostUpTo_ = std::max(lostUpTo_, upTo);
    while (holes_ != 0 && hole_[0].to <= upTo)
        erase(0);
    if (holes_ != 0 && hole_[0].from <= upTo) hole_[0].from = upTo + 1;
}

void LaneIn::erase(std::size_t hole) noexcept {
    std::copy(hole_.begin() + static_cast<std::ptrdiff_t>(hole) + 1,
              hole_.begin() + static_cast<std::ptrdiff_t>(holes_), hole_.begin() + static_cast<std::ptrdiff_t>(hole));
    --holes_;
}

void LaneIn::prove() noexcept {
    // A loss that the caller has not heard of holds proofs back: they would count for items that are uncertain.
    if (next_ == 0 || loss_ || next_ <= claim_ || (holes_ != 0 && hole_[0].from <= claim_)) return;
    provenAt_ = std::max(provenAt_, claimAt_);
}

}  // namespace emissary::hub::mesh
