// The walk over the text: strings are skipped, braces counted, and the few members that matter looked at.
#include "Scanner.h"

#include <charconv>

namespace emissary::wsload {

namespace {

/// The quote that ends the string, or `end`.
const char* stringEnd(const char* at, const char* end) noexcept {
    while (at < end && *at != '"')
        at += *at == '\\' ? 2 : 1;
    return at < end ? at : end;
}

Seen::Type typeOf(std::string_view word) noexcept {
    if (word == "Update") return Seen::Type::update;
    if (word == "Refresh") return Seen::Type::refresh;
    if (word == "Status") return Seen::Type::status;
    if (word == "Ack") return Seen::Type::ack;
    if (word == "Ping") return Seen::Type::ping;
    if (word == "Error") return Seen::Type::error;
    return Seen::Type::other;
}

}  // namespace

void Scanner::skipBlanks() noexcept {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
        ++at_;
}

bool Scanner::number(std::uint64_t& into) const noexcept {
    return std::from_chars(at_, end_, into).ec == std::errc();
}

void Scanner::member(int depth, std::string_view name, Seen& seen) noexcept {
    if (depth == 1) {
        if (name == "ID") (void)std::from_chars(at_, end_, seen.id);
        else if (name == "AckID") (void)number(seen.ackId);
        else if (name == "Type" && *at_ == '"')
            seen.type = typeOf({at_ + 1, static_cast<std::size_t>(stringEnd(at_ + 1, end_) - at_ - 1)});
    } else if (name == "SEQNUM") seen.hasSequence = number(seen.sequence);
    else if (name == "TIM_TRK_1") seen.hasStamp = number(seen.stamp);
    else if (name == "TIM_TRK_2") seen.hasPostStamp = number(seen.postStamp);
    else if (name == "UserID") (void)number(seen.poster);
    else if (name == "BID") {
        const char* last = at_;
        while (last < end_ && *last != ',' && *last != '}')
            ++last;
        seen.bid = {at_, static_cast<std::size_t>(last - at_)};
    }
}

bool Scanner::next(Seen& seen) noexcept {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '[' || *at_ == ',' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
        ++at_;
    // A message may be an array of messages.
    if (at_ == end_ || *at_ == ']') return false;
    const char* const begin = at_;
    seen = {};
    for (int depth = 0; at_ < end_;) {
        switch (*at_++) {
        case '{':
        case '[':
            ++depth;
            break;
        case '}':
        case ']':
            if (--depth > 0) break;
            seen.whole = {begin, static_cast<std::size_t>(at_ - begin)};
            bad_ = *begin != '{';
            return !bad_;
        case '"': {
            const char* const name = at_;
            at_ = stringEnd(at_, end_);
            if (at_ == end_) break;
            const std::string_view text{name, static_cast<std::size_t>(at_ - name)};
            ++at_;
            // Members that matter are never deeper: Fields and PostUserInfo are at the second level.
            if (depth > 2) break;
            skipBlanks();
            if (at_ == end_ || *at_ != ':') break;
            ++at_;
            skipBlanks();
            if (at_ < end_) member(depth, text, seen);
            break;
        }
        default:
            if (depth == 0) return bad_ = true, false;
        }
    }
    bad_ = true;
    return false;
}

}  // namespace emissary::wsload
