// Decides on requests for items, or has the program decide and remembers what it said.
#include "hub/access/ItemRights.h"

#include "eta/core/printable.h"

#include <utility>

namespace emissary::hub::access {

namespace {

/// In texts for clients.
[[nodiscard]] std::string itemOf(const client::RequestAsk& ask) {
    return ": service '" + eta::printable(ask.service) + "', item '" + eta::printable(ask.name) + "': ";
}

[[nodiscard]] client::RequestVerdict deniedFor(const std::string& item, std::string_view why) {
    return {false, "the user is not entitled to it" + item + std::string(why)};
}

/// Not a no: it may be another answer in a moment.
[[nodiscard]] client::RequestVerdict unknownFor(const std::string& item, std::string_view why) {
    return {false, "whether the user is entitled to it cannot be said at the moment" + item + std::string(why), true};
}

[[nodiscard]] client::RequestVerdict verdictOf(const AskedItems::Answer& known, const std::string& item) {
    if (known.granted) return {};
    return deniedFor(item, known.text.empty() ? "LoginCommand denies it" : known.text);
}

}  // namespace

ItemRights::ItemRights(reactor::Reactor& reactor, std::chrono::seconds lifetime, Counts& counts,
                       std::function<void()> rightsChanged)
    : reactor_(reactor), lifetime_(lifetime), counts_(counts), rightsChanged_(std::move(rightsChanged)),
      again_(reactor, counts,
             {[this](const std::string& key) { return !isFresh(known_.find(key)); },
              [this](const std::string& key, const client::RequestAsk& ask, const CommandAnswer* answer) {
                  const client::RequestVerdict said = take(key, itemOf(ask), answer);
                  // The walk that follows finds the no. Without an answer the next one asks again.
                  if (!said.granted && !said.unavailable) rightsChanged_();
              }}) {}

ItemRights::~ItemRights() {
    reactor_.cancelTimer(timer_);
}

void ItemRights::use(Command* command) {
    command_ = command;
    again_.use(command);
    if (timer_ == 0) walkLater();
}

void ItemRights::walkLater() {
    timer_ = reactor_.startTimer(lifetime_, [this] {
        walkLater();
        // One that is not done yet goes on, and nothing was granted by the program as long as it has said nothing.
        if (again_.empty() && known_.size() != 0) rightsChanged_();
    });
}

void ItemRights::use(std::shared_ptr<const Rules> rules) {
    counts_.rules = rules->size();
    permission_ = std::make_unique<Permission>(std::move(rules));
    known_.doubt();
}

client::RequestVerdict ItemRights::refused(const client::RequestAsk& ask, std::string_view why) {
    return deniedFor(itemOf(ask), why);
}

client::RequestVerdict ItemRights::unknown(const client::RequestAsk& ask, std::string_view why) {
    return unknownFor(itemOf(ask), why);
}

std::optional<client::RequestVerdict> ItemRights::decide(const client::RequestAsk& ask) {
    if (logins_ && logins_->find(ask.user) == nullptr)
        // A user who has left the file keeps the connection but is granted nothing more.
        return client::RequestVerdict{false,
                                      "the user is not entitled to it: the login file has no such user any more"};
    if (!permission_) return client::RequestVerdict{};
    const Rule* const rule = permission_->decide(ask);  // groups are those of the file that is in use
    if (rule == nullptr || rule->what == Rule::What::deny)
        return client::RequestVerdict{false, Permission::refusal(ask, rule)};
    if (rule->what == Rule::What::allow) return client::RequestVerdict{};
    // Answers are remembered by user; those for somebody without a name would be for all of these.
    if (ask.user.empty()) return refused(ask, "LoginCommand is not asked about a login without a user");
    return {};
}

std::optional<client::RequestVerdict> ItemRights::check(const client::RequestAsk& ask, std::uint64_t ticket,
                                                        client::RequestVerdicts& to) {
    if (auto decided = decide(ask)) return decided;
    std::string key = AskedItems::keyOf(ask);
    if (const AskedItems::Answer* const known = known_.find(key); isFresh(known)) {
        ++counts_.cacheHits;
        return verdictOf(*known, itemOf(ask));
    }
    client::RequestVerdict no;
    const std::uint64_t question =
        put(ask, no, [this, ticket, key = std::move(key), item = itemOf(ask)](const CommandAnswer* answer) {
            const auto at = open_.find(ticket);
            if (at == open_.end()) return;
            client::RequestVerdicts& waits = *at->second.to;
            open_.erase(at);
            const AskedItems::Answer* const before = known_.find(key);
            const bool had = before != nullptr && before->granted;
            const client::RequestVerdict said = take(key, item, answer);
            waits.onVerdict(ticket, said);
            // Other connections of the user may have the item open by the yes that was said before.
            if (had && !said.granted && !said.unavailable) rightsChanged_();
        });
    if (question == 0) return no;
    open_.emplace(ticket, Open{question, &to});
    return {};
}

std::uint64_t ItemRights::put(const client::RequestAsk& ask, client::RequestVerdict& no, Command::Answered to) {
    std::string why;
    const rest::Secret question = questionOf(ask, why);
    if (question.empty()) {
        ++counts_.commandRefused;
        no = refused(ask, "LoginCommand cannot be asked: " + why);
        return 0;
    }
    const std::uint64_t id = command_ == nullptr ? 0 : command_->ask(Command::Kind::item, question, std::move(to));
    if (id == 0) no = unknown(ask, "too many questions wait for LoginCommand");
    return id;
}

client::RequestVerdict ItemRights::take(const std::string& key, const std::string& item, const CommandAnswer* answer) {
    if (answer == nullptr) return unknownFor(item, "LoginCommand has not answered");
    if (!answer->ok && answer->code == kUnavailable)
        return unknownFor(item, answer->text.empty() ? "LoginCommand does not know it" : answer->text);
    const AskedItems::Answer said{answer->ok, answer->text, reactor_.now() + lifetime_};
    known_.put(key, said);
    counts_.cached = known_.size();
    return verdictOf(said, item);
}

void ItemRights::cancel(std::uint64_t ticket) noexcept {
    const auto at = open_.find(ticket);
    if (at == open_.end()) return;
    command_->forget(at->second.question);
    open_.erase(at);
}

client::RequestVerdict ItemRights::stillGranted(const client::RequestAsk& ask) {
    if (auto decided = decide(ask)) return *std::move(decided);
    const std::string key = AskedItems::keyOf(ask);
    const AskedItems::Answer* const known = known_.find(key);
    // Whatever is too old, yes or no, is asked about again, and the item stays until then. A list that is full has a
    // million in front of it; the next walk comes to this one.
    if (isFresh(known)) return verdictOf(*known, itemOf(ask));
    (void)again_.add(ask, key);
    return {};
}

}  // namespace emissary::hub::access
