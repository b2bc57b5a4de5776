// eta/json: beginnings of updates and the messages that they turn into. Updates of a feed differ in their stream's id,
// their sequence number, the name of their item and their fields, and seldom in what stands between.
#pragma once

#include "eta/codec/Msg.h"
#include "json/Tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emissary::eta::json {

/// What an update says before its fields.
class KnownHead {
public:
    /// Learns it from a message that the tree has given: `text` begins behind the id and ends with the bracket that
    /// begins the fields. False, and nothing is known: something in it may mean another thing next time, or it is long.
    [[nodiscard]] bool learn(std::string_view text, const codec::Msg& msg, bool strict, const IdFirst& begins,
                             const FlatFields& fields) noexcept;
    /// Whether a text begins like that, with whatever number and name; then message() has both.
    [[nodiscard]] bool match(const IdFirst& begins, bool strict) noexcept;
    /// Its message, but for the stream.
    [[nodiscard]] codec::Msg& message() noexcept { return msg_; }
    /// Of the bracket that begins the fields.
    [[nodiscard]] const std::uint32_t* brace(const IdFirst& begins) const noexcept {
        return begins.token + tokens_ - 1;
    }
    [[nodiscard]] std::uint32_t values() const noexcept { return values_; }  ///< of FlatFields

private:
    static constexpr std::size_t kMostText = 160;

    /// A value that differs from text to text.
    struct Hole {
        bool isName = false;      ///< else it is the sequence number
        std::size_t before = 0;   ///< bytes between it and the hole in front
        std::uint32_t token = 0;  ///< of the beginning
    };
    [[nodiscard]] bool addHole(std::string_view text, const codec::Msg& msg, const IdFirst& begins, std::uint32_t name,
                               std::size_t& from) noexcept;
    [[nodiscard]] bool fill(const Hole& hole, std::string_view value) noexcept;

    std::array<char, kMostText> text_{};  ///< without the holes
    std::array<Hole, 2> holes_{};
    std::size_t holesUsed_ = 0;
    std::size_t last_ = 0;  ///< bytes behind the last hole; 0: nothing is known
    std::uint32_t tokens_ = 0, values_ = 0;
    bool strict_ = false;  ///< members that the protocol does not have are refused
    codec::Msg msg_;
};

/// The last few of them.
class KnownHeads {
public:
    /// That which matches; null when the text begins in another way.
    [[nodiscard]] KnownHead* find(const IdFirst& begins, bool strict) noexcept {
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            KnownHead& head = heads_[(last_ + i) % heads_.size()];
            if (!head.match(begins, strict)) continue;
            last_ = (last_ + i) % heads_.size();
            return &head;
        }
        return nullptr;
    }
    /// One that find() did not know takes the place of that which was learnt longest ago.
    void learn(std::string_view text, const codec::Msg& msg, bool strict, const IdFirst& begins,
               const FlatFields& fields) noexcept {
        // Where beginnings differ from message to message, to learn each of them would cost more than it gives.
        constexpr std::uint32_t kTries = 8;
        if (misses_++ >= heads_.size() && misses_ % kTries != 0) return;
        if (heads_[next_].learn(text, msg, strict, begins, fields)) next_ = (next_ + 1) % heads_.size();
    }

private:
    std::array<KnownHead, 4> heads_{};
    std::size_t last_ = 0, next_ = 0;
    std::uint32_t misses_ = 0;
};

}  // namespace emissary::eta::json
