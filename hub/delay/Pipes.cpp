// hub/delay: gives streams numbers, and finds them by key.
#include "hub/delay/Pipes.h"

namespace emissary::hub::delay {

std::uint32_t Pipes::add(std::uint8_t domain, eta::Bytes key) {
    if (free_.empty()) {
        auto made = std::make_unique<Pipe>();
        free_.reserve(all_.size() + 1);
        all_.push_back(std::move(made));
        free_.push_back(static_cast<std::uint32_t>(all_.size() - 1));
    }
    const std::uint32_t number = free_.back();
    std::string text(eta::asText(key));
    byKey_.emplace(keyOf(domain, key), number);
    free_.pop_back();
    Pipe& pipe = *all_[number];
    const std::uint32_t life = pipe.life;
    const std::uint8_t parity = pipe.parity;
    pipe = Pipe{};
    pipe.domain = domain;
    pipe.key = std::move(text);
    pipe.life = life + 1;
    pipe.parity = parity ^ 1u;  // whatever still comes on the stream of the last one is not for this one
    pipe.used = true;
    return number;
}

std::uint32_t Pipes::find(std::uint8_t domain, eta::Bytes key) const {
    const auto at = byKey_.find(keyOf(domain, key));
    return at == byKey_.end() ? kNone : at->second;
}

void Pipes::remove(std::uint32_t number) noexcept {
    Pipe& pipe = *all_[number];
    byKey_.erase(keyOf(pipe.domain, eta::asBytes(pipe.key)));
    pipe.used = false;
    pipe.open = false;
    free_.push_back(number);  // add() has made room
}

}  // namespace emissary::hub::delay
