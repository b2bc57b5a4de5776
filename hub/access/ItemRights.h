// hub/access: who may have which item: the login file, the rules, and the program of LoginCommand (hub.md 11.3).
#pragma once

#include "hub/access/AskedItems.h"
#include "hub/access/Command.h"
#include "hub/access/ItemsAgain.h"
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
               std::function<void()> rightsChanged);
    ~ItemRights();
    ItemRights(const ItemRights&) = delete;
    ItemRights& operator=(const ItemRights&) = delete;

    void use(Command* command);
    void use(std::shared_ptr<const LoginFile> logins) noexcept { logins_ = std::move(logins); }
    /// The program is asked anew about items that it granted before: they are looked at with the others.
    void use(std::shared_ptr<const Rules> rules);
    /// The same without other rules. Nothing without a program.
    void doubt() noexcept { known_.doubt(); }

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
    [[nodiscard]] bool isFresh(const AskedItems::Answer* known) const noexcept {
        return known != nullptr && reactor_.now() < known->until;
    }
    /// Open items are looked at once in each lifetime of an answer, to ask about those whose answer is too old.
    void walkLater();

    struct Open {
        std::uint64_t question = 0;
        client::RequestVerdicts* to = nullptr;
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
    ItemsAgain again_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::access
