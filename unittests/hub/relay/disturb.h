// What consumers do all the time: open, close, change, die, read, and stall while others do.
#pragma once

#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace emissary::test {

/// 400 rounds of five updates each, in each of which one of the clients does something; one death in so many that were
/// drawn happens.
template <class Fixture, class Client>
void disturb(Fixture& f, std::vector<std::unique_ptr<Client>>& clients, std::span<const char* const> items,
             unsigned seed, unsigned deaths) {
    std::mt19937 random(seed);
    for (int round = 0; round < 400; ++round) {
        for (int i = 0; i < 5; ++i)
            f.tick();
        Client& c = *clients[random() % clients.size()];
        switch (random() % 12) {
        case 0:
        case 1:
        case 2:
        case 3:
            c.open(items[random() % items.size()]);
            break;
        case 4:
        case 5:
            c.close(random());
            break;
        case 6:
        case 7:
            c.change(random());
            break;
        case 8:
            if (random() % deaths == 0) c.die();
            break;
        default:  // the others stall
            c.read();
            break;
        }
        f.turn();
    }
}

}  // namespace emissary::test
