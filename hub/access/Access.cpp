// Reads the files, answers from them, and takes over what is written into them later.
#include "hub/access/Access.h"

#include "eta/core/host_names.h"
#include "hub/access/Command.h"
#include "hub/access/ItemRights.h"
#include "hub/access/changes.h"
#include "hub/access/token_login.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace emissary::hub::access {

namespace {

/// A file that is written is read when it has not changed for so long, and a second later at the latest.
constexpr std::chrono::milliseconds kPeriod{250};

[[nodiscard]] rest::TokenRules tokenRules(const AccessSettings& settings) {
    using Algorithm = AccessSettings::Algorithm;
    rest::TokenRules made;
    made.algorithm = settings.jwtAlgorithm == Algorithm::hs256   ? rest::TokenAlgorithm::hs256
                     : settings.jwtAlgorithm == Algorithm::rs256 ? rest::TokenAlgorithm::rs256
                                                                 : rest::TokenAlgorithm::es256;
    made.audience = settings.jwtAudience;
    made.userClaim = settings.jwtUserClaim;
    made.groupsClaim = settings.jwtGroupsClaim;
    return made;
}

/// Of the client that logs in.
[[nodiscard]] std::string networkOf(const client::LoginAsk& ask) {
    return eta::networkOf(eta::splitHost(ask.address).host);
}

[[nodiscard]] std::chrono::seconds sinceEpoch() {
    return std::chrono::duration_cast<std::chrono::seconds>(eta::WallClock::now().time_since_epoch());
}

}  // namespace

AccessFiles readAccessFiles(const AccessSettings& settings) {
    AccessFiles made;
    const auto read = [&](const char* parameter, const std::string& file, const auto& use) {
        if (file.empty()) return;
        Faults faults;
        std::string text;
        if (readTextFile(file, text, faults)) use(text, faults);
        if (!faults.empty()) ++made.faulty;
        for (const std::string& line : faults.lines(file))
            made.errors.push_back(std::string(parameter) + ": " + line);
    };
    const auto into = [](auto& place, auto&& value, const Faults& faults) {
        // A file with one fault is not used at all: half of a list of users or rules would grant or refuse by chance.
        using Value = std::remove_cvref_t<decltype(value)>;
        if (faults.empty()) place = std::make_shared<const Value>(std::move(value));
    };
    if (settings.loginCheck == AccessSettings::LoginCheck::file)
        read("LoginFile", settings.loginFile, [&](const std::string& text, Faults& faults) {
            LoginFile logins = LoginFile::read(text, faults);
            into(made.logins, std::move(logins), faults);
        });
    if (settings.loginCheck == AccessSettings::LoginCheck::jwt)
        read("JwtKeyFile", settings.jwtKeyFile, [&](std::string& text, Faults& faults) {
            eta::Refused refused;
            made.tokens = rest::TokenCheck::read(rest::Secret(text), tokenRules(settings), refused);
            // The text is the key itself with HS256.
            rest::wipe(text.data(), text.size());
            if (refused) faults.add(0, refused.text);
        });
    read("Permission", settings.permission, [&](const std::string& text, Faults& faults) {
        Rules rules = Rules::read(text, faults);
        if (rules.firstAsk() != 0 && settings.loginCommand.empty())
            faults.add(rules.firstAsk(), "a rule says ask, and LoginCommand names no program that could be asked");
        into(made.rules, std::move(rules), faults);
    });
    return made;
}

Access::Access(const AccessSettings& settings, reactor::Reactor& reactor, ClientTable& clients, LogLine log,
               std::function<void()> rightsChanged, AuditSink* audit, std::function<void()> usersChanged)
    : settings_(settings), reactor_(reactor), clients_(clients), log_(std::move(log)),
      rightsChanged_(std::move(rightsChanged)), usersChanged_(std::move(usersChanged)), audit_(audit), worker_(reactor),
      rights_(
          std::make_unique<ItemRights>(reactor, settings.permissionLifetime, counts_, [this] { rightsChanged_(); })),
      metrics_(reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); }) {}

Access::~Access() = default;

eta::Refused Access::start() {
    if (!anything()) return {};
    if (settings_.loginCheck == Kind::file) watched_.push_back({settings_.loginFile});
    if (settings_.loginCheck == Kind::jwt) watched_.push_back({settings_.jwtKeyFile});
    if (!settings_.permission.empty()) watched_.push_back({settings_.permission});
    for (Watched& file : watched_)
        // Before the files are read: a change in between is then seen as one, and read again.
        file.taken = file.last = versionOf(file.path);
    const AccessFiles files = readAccessFiles(settings_);
    for (const std::string& error : files.errors)
        log(Severity::error, error);
    if (!files.errors.empty()) return {files.errors.front()};
    use(files);
    latest_.logins = files.logins;
    latest_.rules = files.rules;
    if (settings_.loginCheck == Kind::none)
        log(Severity::warning, "Permission without LoginCheck: users are who they say they are");
    worker_.start(kPeriod, [this](bool hurried) { return look(hurried); });
    return settings_.loginCommand.empty() ? eta::Refused{} : startCommand();
}

eta::Refused Access::startCommand() {
    // No login has that ticket.
    constexpr std::uint64_t kStart = ~std::uint64_t{0};
    using Started = CommandProcess::Started;
    command_ = std::make_unique<Command>(
        reactor_, settings_.loginCommand, log_, counts_,
        [this](std::function<Started()> start, std::function<void(Started)> then) {
            worker_.add(kStart, {}, [start = std::move(start), then = std::move(then)]() -> Worker::Outcome {
                // Shared, since outcomes are copied; a program whose outcome is dropped is ended by its owner.
                const auto started = std::make_shared<Started>(start());
                return [started, then] { then(std::move(*started)); };
            });
        });
    rights_->use(command_.get());
    return command_->start();
}

void Access::readAgain() {
    if (anything()) worker_.hurry();
}

client::RequestCheck* Access::requestCheck() noexcept {
    return settings_.permission.empty() && settings_.loginCheck != Kind::file ? nullptr : rights_.get();
}

// --- logins ----------------------------------------------------------------------------------------------------------

std::optional<client::LoginVerdict> Access::check(const client::LoginAsk& ask, std::uint64_t ticket,
                                                  client::LoginVerdicts& to) {
    if (settings_.loginCheck == Kind::none) {
        client::LoginVerdict everybody;
        everybody.user = ask.as;  // a token that nobody looks at names no other user
        return everybody;
    }
    if (settings_.loginCheck == Kind::command) return askCommand(ask, ticket, to);
    open_.insert_or_assign(ticket, Open{ask, &to});
    counts_.open = open_.size();
    queue(ticket);
    return {};
}

std::optional<client::LoginVerdict> Access::askCommand(const client::LoginAsk& ask, std::uint64_t ticket,
                                                       client::LoginVerdicts& to) {
    client::LoginVerdict no;
    const rest::Secret question = questionOf(ask, no.reason);
    if (question.empty()) {
        ++counts_.commandRefused;
        no.kind = client::LoginVerdict::Kind::notEntitled;
        no.reason = "LoginCommand cannot be asked: " + no.reason;
        return no;
    }
    const auto answered = [this, ticket](const CommandAnswer* answer) {
        const auto at = open_.find(ticket);
        if (at == open_.end()) return;
        client::LoginVerdicts& waits = *at->second.to;
        open_.erase(at);
        counts_.open = open_.size();
        client::LoginVerdict verdict;
        if (answer != nullptr) verdict = verdictOf(*answer);
        else verdict.kind = client::LoginVerdict::Kind::noAnswer;
        waits.onVerdict(ticket, verdict);
    };
    const std::uint64_t id = command_->ask(Command::Kind::login, question, answered, networkOf(ask));
    if (id == 0) {
        no.kind = client::LoginVerdict::Kind::noAnswer;
        no.reason = "too many questions wait for LoginCommand";
        return no;
    }
    open_.insert_or_assign(ticket, Open{{}, &to, 0, id});
    counts_.open = open_.size();
    return {};
}

void Access::queue(std::uint64_t ticket) {
    Open& open = open_.at(ticket);
    open.reading = reading_;
    // The job has its own references to the file: a reading on the way does not change what it decides by. Hashes take
    // their time, so the worker thread computes them.
    worker_.add(ticket, networkOf(open.ask),
                [this, ticket, ask = open.ask, logins = logins_, tokens = tokens_]() -> Worker::Outcome {
                    client::LoginVerdict verdict =
                        tokens ? decideByToken(*tokens, ask, sinceEpoch()) : logins->decide(ask);
                    if (verdict.lasts) *verdict.lasts += settings_.jwtGrace;
                    return [this, ticket, verdict = std::move(verdict)] { answer(ticket, verdict); };
                });
}

void Access::answer(std::uint64_t ticket, const client::LoginVerdict& verdict) {
    const auto at = open_.find(ticket);
    if (at == open_.end()) return;
    // Decided by a file that has been replaced: a user who was removed meanwhile must not get in.
    if (at->second.reading != reading_) return queue(ticket);  // the file is another one by now
    client::LoginVerdicts& to = *at->second.to;
    open_.erase(at);
    counts_.open = open_.size();
    to.onVerdict(ticket, verdict);
}

void Access::cancel(std::uint64_t ticket) noexcept {
    const auto at = open_.find(ticket);
    if (at == open_.end()) return;
    if (at->second.question != 0) command_->forget(at->second.question);
    else worker_.cancel(ticket);
    open_.erase(at);
    counts_.open = open_.size();
}

// --- files that change -----------------------------------------------------------------------------------------------

Worker::Outcome Access::look(bool hurried) {
    bool changed = hurried, still = true;
    for (Watched& file : watched_) {
        const std::uint64_t version = versionOf(file.path);
        still = still && version == file.last;
        changed = changed || version != file.taken;
        file.last = version;
    }
    // Two equal looks in a row: an editor that still writes the file is waited for.
    if (!changed || (!still && !hurried)) return {};
    for (Watched& file : watched_)
        file.taken = file.last;
    AccessFiles files = readAccessFiles(settings_);
    std::string changes;
    if (audit_ != nullptr) {
        if (files.logins) changes += usersChanged(latest_.logins.get(), *files.logins);
        if (files.rules) changes += (changes.empty() ? "" : "; ") + rulesChanged(latest_.rules.get(), *files.rules);
        if (files.tokens) changes += (changes.empty() ? "keys: " : "; keys: ") + std::to_string(files.tokens->keys());
    }
    if (files.logins) latest_.logins = files.logins;
    if (files.rules) latest_.rules = files.rules;
    // Posted to the session: verdicts and rules change under its lock only.
    return [this, files = std::move(files), changes = std::move(changes), hurried] { take(files, changes, hurried); };
}

void Access::audit(AuditEvent::Kind kind, std::string_view text) const noexcept {
    if (audit_ == nullptr) return;
    AuditEvent event;
    event.kind = kind;
    event.text = text;
    audit_->audit(event);
}

void Access::take(const AccessFiles& files, const std::string& changes, bool hurried) {
    ++counts_.reads;
    counts_.readErrors += files.faulty;
    counts_.faulty = files.faulty;
    for (const std::string& error : files.errors)
        log(Severity::error, error);
    if (!files.errors.empty()) log(Severity::warning, "what was read before stays in use for each file with errors");
    if (!files.errors.empty())
        audit(AuditEvent::Kind::rereadRefused,
              files.errors.front() + (files.errors.size() == 1
                                          ? std::string()
                                          : " (and " + std::to_string(files.errors.size() - 1) + " more)"));
    // What somebody asks for by hand is for the program too, which has its own files, whatever ours are.
    const bool program = hurried && command_ != nullptr;
    if (program) rights_->doubt();
    // All files had faults: nothing changed, so no right is checked again.
    if (!files.logins && !files.tokens && !files.rules) {
        if (program) rightsChanged_();
        return;
    }
    use(files);
    audit(AuditEvent::Kind::reread, changes);
    log(Severity::success, "read again:" + (files.logins ? " " + std::to_string(files.logins->size()) + " users" : "") +
                               (files.tokens ? " " + std::to_string(files.tokens->keys()) + " keys" : "") +
                               (files.rules ? " " + std::to_string(files.rules->size()) + " rules" : ""));
    // Before rights are checked again: groups of clients come from the new file.
    renewGroups();
    rightsChanged_();
    if (files.logins && usersChanged_) usersChanged_();
}

void Access::use(const AccessFiles& files) {
    ++reading_;
    if (files.logins) rights_->use(logins_ = files.logins);
    if (files.tokens) tokens_ = files.tokens;
    if (files.rules) rights_->use(files.rules);
}

void Access::renewGroups() {
    if (!logins_) return;
    for (std::uint32_t i = 0; i < clients_.end(); ++i) {
        Client* const client = clients_.find(i);
        if (client == nullptr || !client->loggedIn) continue;
        client->groups = known(client->user)->groups;
    }
}

/// Nothing: there is no login file. `there` false: the file has the user no more.
std::optional<client::KnownUser> Access::known(const std::string& user) const {
    if (!logins_) return {};
    const LoginFile::User* const there = logins_->find(user);
    return there != nullptr ? client::KnownUser{true, there->groups} : client::KnownUser{};
}

}  // namespace emissary::hub::access
