// Reads messages until the budget of the turn is used up, and warns of input that is skipped.
#include "loop/LinkInput.h"

#include "loop/ReactorImpl.h"

#include <string>

namespace emissary::reactor {

using eta::transport::ReadResult;
using Phase = Link::Impl::Phase;

namespace {

// A peer that goes on sending although nothing reaches it is heard for this much longer than one that is silent.
constexpr Duration kDrainMost = std::chrono::seconds(60);
// Of what is converted, in bytes: one text may have thousands of messages.
constexpr std::size_t kTextOfTurn = 64u << 10;
// So many messages are known before their turn comes: some 100 ns each, while memory takes as long for a step of what
// leads from a stream's id to its item.
constexpr int kAhead = 8;

}  // namespace

int LinkInput::readMessages(int max) {
    Link::Impl& l = link;
    Reactor::Impl& r = *l.reactor;
    r.memory.later();
    bool destroyed = false;
    gone = &destroyed;
    int messages = 0;
    if (text.left()) [[unlikely]] {
        // The channel is read in the next turn: between two long texts whoever waits for the end of one has a chance.
        messages = readText(&destroyed);
        if (destroyed) return messages;
        gone = nullptr;
        if (l.phase == Phase::active && !l.held) r.links.markReady(l);
        return messages;
    }
    ReadResult::Kind last = ReadResult::Kind::message;
    bool more = false;
    std::size_t converted = 0;
    bool looksAhead = l.layer == nullptr && l.handler->looksAhead();
    int ahead = 0;  // messages that the handler has seen ahead and that were not read yet
    for (int reads = 0; reads < max && converted < kTextOfTurn; ++reads) {
        const ReadResult result = l.channel->read();
        last = result.kind;
        more = result.more;
        if (result.kind == ReadResult::Kind::message) [[likely]] {
            if (l.layer != nullptr) [[unlikely]] {
                converted += result.message.size();
                text = {result.message};
                messages += readText(&destroyed);
            } else {
                ++messages;
                if (ahead != 0) --ahead;
                if (more && looksAhead) looksAhead = lookAhead(ahead);
                l.handler->onLinkMessage(*l.self, result.message);
            }
            if (destroyed) return messages;
            if (r.lock.wanted()) [[unlikely]] {
                r.letWaitersIn();
                if (destroyed) return messages;
            }
            if (l.phase != Phase::active || l.held || text.left()) break;
        } else if (result.kind == ReadResult::Kind::condition) {
            warn(result);
            if (destroyed) return messages;
            if (l.phase != Phase::active) break;
        } else if (result.kind != ReadResult::Kind::ping) {
            break;
        }
        if (!more) break;  // the descriptor tells when there is something again
    }
    gone = nullptr;
    if (l.phase != Phase::active) return messages;
    if (last != ReadResult::Kind::closed && drainedBy(r.turnTime, more)) {
        l.channel->abandon();
        last = ReadResult::Kind::closed;
    }
    if (last == ReadResult::Kind::closed) l.down(l.channel->errorText(), false);
    else if ((more || text.left()) && !l.held) r.links.markReady(l);
    return messages;
}

/// What belongs into one turn of the text that is being read.
int LinkInput::readText(const bool* destroyed) {
    const int messages = link.layer->receive(link.below(destroyed), text);
    if (*destroyed) return messages;
    if (link.phase != Phase::active) text = {};
    // Slices of text take a hundred times as long as a message does.
    else if (text.left()) link.reactor->longTurn = true;
    return messages;
}

/// Shows the handler messages that wait until it has seen kAhead of them; `ahead`: how many it has. False: it does not
/// want more.
bool LinkInput::lookAhead(int& ahead) noexcept {
    while (ahead != kAhead) {
        const Bytes message = link.channel->peek(ahead == 0);
        if (message.empty()) return true;
        ++ahead;
        if (!link.handler->onLinkAhead(message)) return false;
    }
    return true;
}

/// What multicast has to tell between messages.
void LinkInput::warn(const ReadResult& result) {
    std::string warning =
        std::string(describe(result.condition)) + " (" + std::to_string(static_cast<int>(result.condition)) + ")";
    if (result.lost != 0) warning += ", " + std::to_string(result.lost) + " packets";
    link.handler->onLinkWarning(*link.self, warning);
}

/// The write failed so long ago that the end of the connection is not waited for any longer.
bool LinkInput::drainedBy(TimePoint now, bool more) const noexcept {
    if (now < drainUntil) return false;
    return !more || now - drainUntil >= kDrainMost;
}

}  // namespace emissary::reactor
