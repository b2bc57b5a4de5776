// What a consumer of the C interface knows of its items, and of the requests that asked for several.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "emissary/book/Store.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace emissary::capi {

/// Items by number, from 1; a number is never given twice, so that a late message of a closed item cannot reach another
/// one. A program may ask about an item that it has closed, whose messages it still reads; one that opens and closes
/// items all day must not grow by them: of closed items the last kKeptClosed are known.
class Items {
public:
    /// What an event's closure is.
    struct Closure {
        std::vector<std::uint64_t> batch;  ///< numbers of the items of one batch request; none: this is an item
        std::size_t kept = 0;              ///< of these items, those that are in items_
        std::size_t unnamed = 0;           ///< of these items, those whose first message has not come
        bool split = false;                ///< the library has said what became of the request as a whole
    };
    struct Item : Closure {
        std::uint64_t number = 0, handle = 0;  ///< of a batch's item the handle is 0 until its first message
        bool open = false;
        emi_state state = EMI_PENDING;
        int statusCode = 0;
        std::uint16_t domain = refinitiv::ema::rdm::MMT_MARKET_PRICE;
        std::string name, service, text;
        Closure* request = nullptr;  ///< of the batch that it was asked for with; null: it was asked for alone
        emissary::book::Book* book = nullptr;  ///< kept by emi_consumer::books_
    };

    static constexpr std::size_t kKeptClosed = 4096;

    /// One more, open; its address stays as long as it is known.
    [[nodiscard]] Item& add(const char* service, const char* name);
    /// A request for several; its address stays while messages may come for it: the library gives it back with each.
    [[nodiscard]] Closure& addRequest();
    /// Null: there is none, or it is forgotten.
    [[nodiscard]] Item* find(std::uint64_t number);
    /// The same, with a refusal (EMI_E_ITEM) that says which.
    [[nodiscard]] const Item& at(std::uint64_t number) const;
    [[nodiscard]] Item& at(std::uint64_t number) { return const_cast<Item&>(std::as_const(*this).at(number)); }
    /// Whether some item may still send messages.
    [[nodiscard]] bool anyOpen() const;
    /// The program has closed it: it is one of those that will be forgotten.
    void closed(std::uint64_t number) { closed_.push_back(number); }
    /// Forgets the oldest of those. Not inside a callback, which may be about one of them.
    void forget() noexcept;
    /// The library has not taken the request: no message will name it. Its items are closed already.
    void refused(Closure& request) noexcept;
    /// Forgets the request as well when no message can name it any more.
    void release(const Closure& request) noexcept;

private:
    std::unordered_map<std::uint64_t, Item> items_;
    std::uint64_t last_ = 0;
    std::deque<std::uint64_t> closed_;  // numbers, the oldest first
    std::unordered_map<const Closure*, std::unique_ptr<Closure>> requests_;
};

}  // namespace emissary::capi
