// Books of generated feeds against the generator's own.
#pragma once

#include "EmaBooks.h"
#include "support.h"

namespace booktest {

using emissary::perf::BookItem;

/// The same lines whatever their order was.
inline std::string sorted(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    std::string out;
    for (const std::string& line : lines)
        out += line + "\n";
    return out;
}

/// Every level and order as the generator has it.
inline std::string truthOf(const emissary::perf::OrderSource& source, bool points) {
    std::vector<emissary::perf::FeedEntry> all;
    if (points) source.priceImage(all);
    else source.image(all);
    std::string out;
    char key[24];
    for (const auto& e : all)
        out += std::to_string(e.side) + " " + std::to_string(e.price) + " " + std::string(keyText(e, points, key)) +
               " " + std::to_string(e.size) + "\n";
    return out;
}

inline std::string contentOf(const book::Book& b) {
    std::string out;
    for (const book::BookSide* s : {&b.bids(), &b.asks()})
        for (const book::Level level : *s)
            for (const book::Order o : level.queue())
                out += std::to_string(static_cast<int>(o.side())) + " " +
                       std::to_string(level.price().ticks / 1'000'000) + " " + std::string(o.id()) + " " +
                       std::to_string(o.size().mantissa) + "\n";
    return out;
}

/// Compares with the truth now and then: the truth is stepped on to where the book is.
struct Checker : book::BookListener {
    explicit Checker(std::uint32_t ordersPerSide) : orders(ordersPerSide) {}
    std::uint32_t orders;
    /// The places in the queues are not compared: an image from a cache does not tell them when the source sends
    /// neither ranks nor priority times.
    bool anyPlace = false;
    struct Followed {
        emissary::perf::OrderSource truth;
        std::uint32_t at = 0;
        std::uint64_t compared = 0;
    };
    std::map<const book::Book*, Followed> followed;
    std::string wrong;

    void onBookChanged(const book::Book& b, std::span<const book::Change>) override {
        const std::uint32_t at = *b.sequence();
        if (at > 200 && at % 997 != 0) return;
        check(b);
    }
    void onBookReset(const book::Book& b) override {
        followed.erase(&b);  // an image begins the day anew
        check(b);
    }
    void onBookState(const book::Book& b, State before) override {
        states += std::string(b.name()) + " " + name(before) + "->" + name(b.state()) + "; ";
    }
    void onBookFault(const book::Book& b, book::Fault fault, std::string_view key, std::int16_t) override {
        states += std::string(b.name()) + " " + name(fault) + " " + std::string(key) + " at " +
                  std::to_string(b.sequence().value_or(0)) + "; ";
    }
    std::string states;
    void check(const book::Book& b) {
        if (!wrong.empty() || !b.sequence()) return;  // an image without a number is compared with the next update
        Followed& f = followed.try_emplace(&b, Followed{BookItem::sourceOf(b.name(), orders)}).first->second;
        emissary::perf::FeedEntry order;
        std::vector<emissary::perf::FeedEntry> points;
        for (; f.at != *b.sequence(); ++f.at)
            f.truth.step(order, points);
        ++f.compared;
        const std::string seen = contentOf(b), truth = truthOf(f.truth, b.kind() == Kind::prices);
        if (anyPlace ? sorted(seen) != sorted(truth) : seen != truth)
            wrong = std::string(b.name()) + " at " + std::to_string(f.at);
        if (const std::string broken = b.verify(); !broken.empty()) wrong = broken;
    }
};

}  // namespace booktest
