// Walks a JSON text of the server and picks from each message what the measurement needs, without checking the rest.
#pragma once

#include <cstdint>
#include <string_view>

namespace emissary::wsload {

/// One message of a text. Views are into the text.
struct Seen {
    enum class Type : std::uint8_t { update, refresh, status, ack, ping, error, other };
    Type type = Type::other;
    bool hasSequence = false, hasStamp = false, hasPostStamp = false;
    std::int32_t id = 0;
    std::uint64_t sequence = 0, stamp = 0;               ///< SEQNUM, TIM_TRK_1
    std::uint64_t postStamp = 0, poster = 0, ackId = 0;  ///< TIM_TRK_2, UserID of PostUserInfo, AckID
    std::string_view bid;                                ///< as it stands in the text; empty: the message has none
    std::string_view whole;                              ///< the message
};

/// The messages of one text, in order.
class Scanner {
public:
    explicit Scanner(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}
    /// False at the end, or where the text is not what it should be (bad()).
    [[nodiscard]] bool next(Seen& seen) noexcept;
    [[nodiscard]] bool bad() const noexcept { return bad_; }

private:
    void skipBlanks() noexcept;
    void member(int depth, std::string_view name, Seen& seen) noexcept;
    [[nodiscard]] bool number(std::uint64_t& into) const noexcept;

    const char* at_;
    const char* const end_;
    bool bad_ = false;
};

}  // namespace emissary::wsload
