// hub/access: open items about which LoginCommand is asked once more (hub.md 11.3).
#pragma once

#include "hub/access/Command.h"
#include "hub/access/Rules.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::access {

/// A list that a walk through the open items fills, and that is put to the program a slice at a time, behind the
/// requests of clients. An item is in it once, however many clients have it. Stage thread only.
class ItemsAgain {
public:
    struct Events {
        /// The list has come to this item: whether the program still has to be asked.
        std::function<bool(const std::string& key)> needed;
        /// Null: there will be no answer.
        std::function<void(const std::string& key, const client::RequestAsk& ask, const CommandAnswer*)> answered;
    };
    ItemsAgain(reactor::Reactor& reactor, Counts& counts, Events events)
        : reactor_(reactor), counts_(counts), events_(std::move(events)) {}
    ~ItemsAgain();
    ItemsAgain(const ItemsAgain&) = delete;
    ItemsAgain& operator=(const ItemsAgain&) = delete;

    /// Outlives this.
    void use(Command* command) noexcept { command_ = command; }
    /// Keeps a copy. Nothing happens when the key is in the list already; false: the list is full.
    bool add(const client::RequestAsk& ask, const std::string& key);
    [[nodiscard]] bool empty() const noexcept { return kept_.empty(); }

    static constexpr std::size_t kMost = 1'000'000;
    static constexpr std::size_t kSlice = 64;  ///< questions at once

private:
    using Groups = std::shared_ptr<const std::vector<std::string>>;
    struct Kept {
        std::string user, service, name;
        Groups groups;  // items of one login share them
        std::vector<std::byte> permData;
        std::uint8_t nameType = 1, domain = 0;
        bool isPrivate = false;
        [[nodiscard]] client::RequestAsk ask() const;
    };
    using Place = ByText<Kept>::iterator;
    struct Asked {
        const std::string* key = nullptr;  // of kept_, whose nodes stay
        reactor::TimePoint since;
    };

    void goOnSoon();
    void goOn();
    /// False: there is no room for its question at the moment.
    [[nodiscard]] bool put(Place at);
    void drop(Place at) noexcept;
    void end(Place at, const CommandAnswer* answer);
    void endLate();
    void lookLater();

    reactor::Reactor& reactor_;
    Counts& counts_;
    const Events events_;
    Command* command_ = nullptr;
    ByText<Kept> kept_;
    std::deque<const std::string*> waits_;  // keys of kept_
    std::map<std::uint64_t, Asked> asked_;  // by the number of the question
    Groups groups_;                         // of the item that came last
    bool posted_ = false;
    reactor::TimerId timer_ = 0;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::access
