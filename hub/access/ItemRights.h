// hub/access: who may have which item: the login file, the rules, and the program of LoginCommand (hub.md 11.3).
#pragma once

#include "hub/access/AskedItems.h"
#include "hub/access/Command.h"
#include "hub/access/LoginFile.h"
#include "hub/access/Permission.h"

#include <functional>
#include <map>
#include <memory>

namespace emissary::hub::access {

/// Answers at once, except where a rule says `ask` and the answer is not known. Stage thread only.
class ItemRights final : public client::RequestCheck {
public:
    /// `command` is null where there is none, and outlives this. `lifetime`: how long an answer holds. `rightsChanged`
    /// is called when an item that somebody may have open is not granted any more.
    ItemRights(reactor::Reactor& reactor, std::chrono::seconds lifetime, Counts& counts,
               std::function<void()> rightsChanged)
        : reactor_(reactor), lifetime_(lifetime), counts_(counts), rightsChanged_(std::move(rightsChanged)) {}
    ItemRights(const ItemRights&) = delete;
    ItemRights& operator=(const ItemRights&) = delete;

    void use(Command* command) noexcept { command_ = command; }
    void use(std::shared_ptr<const LoginFile> logins) noexcept { logins_ = std::move(logins); }
    /// The program is asked anew about items that it granted before: they are looked at with the others.
    void use(std::shared_ptr<const Rules> rules);

    [[nodiscard]] std::optional<client::RequestVerdict> check(const client::RequestAsk& ask, std::uint64_t ticket,
                                                              client::RequestVerdicts& to) override;
    void cancel(std::uint64_t ticket) noexcept override;
    /// Where the program has to be asked, the item stays until it says no.
    [[nodiscard]] client::RequestVerdict stillGranted(const client::RequestAsk& ask) override;

private:
    /// Nothing: the program decides.
    [[nodiscard]] std::optional<client::RequestVerdict> decide(const client::RequestAsk& ask);
    /// 0: it is not asked, and `no` says why.
    [[nodiscard]] std::uint64_t put(const client::RequestAsk& ask, client::RequestVerdict& no, Command::Answered to);
    [[nodiscard]] static client::RequestVerdict refused(const client::RequestAsk& ask, std::string_view why);
    [[nodiscard]] static client::RequestVerdict unknown(const client::RequestAsk& ask, std::string_view why);
    /// Remembers what the program says, unless it says nothing for certain. `item`: see itemOf().
    client::RequestVerdict take(const std::string& key, const std::string& item, const CommandAnswer* answer);
    void askAgain(const client::RequestAsk& ask, const std::string& key);

    struct Open {
        std::uint64_t question = 0;
        client::RequestVerdicts* to = nullptr;
    };
    struct Again {
        std::uint64_t question = 0;
        reactor::TimePoint since;
    };
    reactor::Reactor& reactor_;
    const std::chrono::seconds lifetime_;
    Counts& counts_;
    const std::function<void()> rightsChanged_;
    Command* command_ = nullptr;
    std::shared_ptr<const LoginFile> logins_;
    std::unique_ptr<Permission> permission_;  // null: everybody may have everything
    AskedItems known_;
    std::map<std::uint64_t, Open> open_;  // by ticket
    ByText<Again> again_;                 // by key: items that are open, and asked about once more
};

}  // namespace emissary::hub::access
