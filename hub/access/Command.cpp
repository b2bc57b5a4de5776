// Gives questions to the program as it takes them, and finds whose answer a line is.
#include "hub/access/Command.h"

#include "eta/core/printable.h"

#include <new>
#include <utility>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostUnwritten = 64u << 10;  // bytes given to the process at once
// Of programs: a question that was alone with two is the cause. One that was there at more is asked no more either,
// whatever the cause is.
constexpr std::uint8_t kMostDeathsAlone = 2, kMostDeaths = 8;
constexpr std::chrono::seconds kAlone{1};  // a question that has not ended the program by then does not hold up others

}  // namespace

Command::Command(reactor::Reactor& reactor, std::vector<std::string> words, LogLine log, Counts& counts,
                 CommandProcess::Elsewhere elsewhere)
    : reactor_(reactor), log_(std::move(log)), counts_(counts),
      lines_(reactor,
             [this](std::uint64_t left) {
                 if (log_) log_(Severity::warning, std::to_string(left) + " lines on LoginCommand were left out");
             }),
      process_(reactor, std::move(words),
               {[this](std::string_view line) { onLine(line); },
                [this] {
                    ++counts_.commandBadLines;
                    this->log(Severity::warning, "an answer is longer than 65536 bytes, and was left out");
                },
                [this](std::string_view line) { this->log(Severity::warning, "says: " + eta::printable(line)); },
                [this] {
                    ++counts_.commandStarts;
                    counts_.commandUp = process_.up() ? 1 : 0;
                    goOn();
                },
                [this] { goOn(); }, [this](const std::string& why) { onEnd(why); },
                [this](const std::string& why) { this->log(Severity::error, why + "; it is tried again"); }},
               std::move(elsewhere)) {}

Command::~Command() {
    reactor_.cancelTimer(aloneTimer_);
}

eta::Refused Command::start() {
    eta::Refused refused = process_.start();
    if (refused) refused.text = "LoginCommand: " + refused.text;
    return refused;
}

std::uint64_t Command::ask(Kind kind, const rest::Secret& question, Answered to, std::string network) {
    const std::size_t most = kind == Kind::login ? kMostBytes : kMostBytes / 4 * 3;
    if (bytes_ + question.size() > most || (kind == Kind::login && !logins_.hasRoom(network, question.size()))) {
        ++counts_.commandRefused;
        return 0;
    }
    const std::uint64_t id = ++lastId_;
    Question made;
    made.kind = kind;
    made.line = lineOf(id, question);
    made.to = std::move(to);
    made.network = std::move(network);
    bytes_ += made.line.size();
    if (kind == Kind::login) logins_.add(made.network, id, made.line.size());
    else queue(id, made);
    questions_.emplace(id, std::move(made));
    ++counts_.commandQuestions;
    count();
    goOnSoon();
    return id;
}

void Command::queue(std::uint64_t id, const Question& question) {
    if (question.kind == Kind::login) logins_.putBack(question.network, id);
    else (question.kind == Kind::item ? items_ : again_).insert(id);
}

std::uint64_t Command::next() {
    const auto first = [](const std::set<std::uint64_t>& ids) { return ids.empty() ? 0 : *ids.begin(); };
    // The others have their share whatever logins wait: rights that are taken away must come through a flood of them.
    ++turn_;
    if (turn_ % 16 == 0 && !again_.empty()) return first(again_);
    if (turn_ % 4 == 0 && !items_.empty()) return first(items_);
    if (const std::uint64_t login = logins_.next(); login != 0) return login;
    return items_.empty() ? first(again_) : first(items_);
}

Command::Question Command::takeOut(Questions::iterator at) noexcept {
    Question question = std::move(at->second);
    if (question.onTheWay) --awaited_;
    else if (question.kind != Kind::login) (question.kind == Kind::item ? items_ : again_).erase(at->first);
    suspects_.erase({question.kind, at->first});
    if (question.kind == Kind::login) logins_.release(question.network, at->first, question.line.size());
    bytes_ -= question.line.size();
    questions_.erase(at);
    count();
    return question;
}

void Command::forget(std::uint64_t id) noexcept {
    const auto at = questions_.find(id);
    if (at == questions_.end()) return;
    (void)takeOut(at);
    try {
        goOnSoon();
    } catch (const std::bad_alloc&) {}  // the next question does it
}

void Command::count() noexcept {
    counts_.commandOnTheWay = sent_.size();
    counts_.commandOpen = questions_.size();
}

void Command::goOnSoon() {
    // At the end of the turn, so that all questions of the turn are written together.
    if (!process_.up() || std::exchange(posted_, true)) return;
    reactor_.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (alive.expired()) return;
        posted_ = false;
        goOn();
    });
}

void Command::goOn() {
    if (!process_.up()) return;
    look();
    while (sent_.size() < kMostOnTheWay && process_.unwritten() < kMostUnwritten) {
        if (alone_ != 0 || !suspects_.empty()) {
            sendSuspect();
            break;
        }
        const std::uint64_t id = next();
        if (id == 0) break;
        send(questions_.find(id));
    }
    count();
    process_.flush();
}

void Command::send(Questions::iterator at) {
    sent_.insert(at->first);
    process_.write(at->second.line.view());
    logins_.take(at->second.network, at->first);
    items_.erase(at->first);
    again_.erase(at->first);
    at->second.onTheWay = true;
    ++awaited_;
}

void Command::sendSuspect() {
    if (alone_ != 0) return;
    alone_ = suspects_.begin()->second;
    suspects_.erase(suspects_.begin());
    send(questions_.find(alone_));
    aloneTimer_ = reactor_.startTimer(kAlone, [this] {
        aloneTimer_ = 0;
        leaveAlone();
    });
}

void Command::leaveAlone() {
    alone_ = 0;
    reactor_.cancelTimer(std::exchange(aloneTimer_, 0));
    goOnSoon();
}

/// A program that loses questions would hold up all others some day.
void Command::look() {
    if (sent_.size() < kMostOnTheWay || awaited_ != 0) return full_.reset();
    if (!full_) full_ = reactor_.now();
    if (reactor_.now() - *full_ < kHung) return;
    full_.reset();
    process_.giveUp("it has left " + std::to_string(sent_.size()) + " questions without an answer");
}

void Command::onLine(std::string_view line) {
    std::string why;
    const std::optional<CommandAnswer> answer = readAnswer(line, why);
    if (!answer) {
        ++counts_.commandBadLines;
        // Without the line: it may repeat the question, and with it a password.
        return log(Severity::warning, "a line is no answer: " + why);
    }
    // One that has not been written yet cannot be answered: the number was guessed.
    const bool sent = sent_.erase(answer->id) != 0;
    const auto at = questions_.find(answer->id);
    if (sent) {
        full_.reset();
        // There is room for another one.
        count();
        goOnSoon();
        if (answer->id == alone_) leaveAlone();
    }
    if (!sent || at == questions_.end()) {
        ++counts_.commandUnknown;
        return log(Severity::warning, "an answer is to a question that is not open (id " + std::to_string(answer->id) +
                                          "): it came late, or twice, or was never asked");
    }
    ++counts_.commandAnswers;
    const Question question = takeOut(at);
    question.to(&*answer);
}

void Command::onEnd(const std::string& why) {
    counts_.commandUp = 0;
    log(Severity::error, why + "; it is started again");
    if (alone_ == 0 && sent_.size() == 1) alone_ = *sent_.begin();
    sent_.clear();
    full_.reset();
    std::vector<Answered> given;  // calls may come back with further questions
    for (auto at = questions_.begin(); at != questions_.end();) {
        const auto next = std::next(at);
        Question& question = at->second;
        if (question.onTheWay && !tryAgain(at->first, question)) given.push_back(takeOut(at).to);
        at = next;
    }
    alone_ = 0;
    reactor_.cancelTimer(std::exchange(aloneTimer_, 0));
    count();
    for (const Answered& to : given)
        to(nullptr);
}

bool Command::tryAgain(std::uint64_t id, Question& question) {
    if (++question.deaths >= kMostDeaths) return false;
    if (id == alone_ && ++question.deathsAlone >= kMostDeathsAlone) return false;
    queue(id, question);
    suspects_.emplace(question.kind, id);
    question.onTheWay = false;
    --awaited_;
    return true;
}

void Command::log(Severity severity, std::string line) {
    if (!log_ || !lines_.pass()) return;
    if (const std::uint64_t more = lines_.takeLeftOut()) line += " (and " + std::to_string(more) + " others)";
    log_(severity, "LoginCommand: " + line);
}

}  // namespace emissary::hub::access
