// A consumer's posts, each of which must be answered once.
#pragma once

#include "Watched.h"

#include <map>

namespace emissary::truthfeed {

/// Posts at random: on streams and off, in one part and in two, bare payloads and nested updates. They change a field
/// that the truth does not have. Even when connection, source or hub fail, each post is answered, positive or not,
/// before its stream ends.
class Posting {
public:
    /// `user`: the poster's id in what the hub makes of the posts. Borrows the consumer.
    Posting(refinitiv::ema::access::OmmConsumer& consumer, std::uint32_t user, Wrong wrong)
        : consumer_(consumer), user_(user), wrong_(std::move(wrong)) {}

    /// One post about the item: on its stream, where that has an image, or on the login's.
    void post(const Watched& item, std::uint64_t loginHandle, Dice& dice);
    /// `via`: the item of the stream it came on; null: the login.
    void answered(const refinitiv::ema::access::AckMsg& ack, const Watched* via);
    /// The application closes the stream: the library answers nothing any more.
    void forget(const Watched& item);
    /// The stream has ended; what waits on it should have been answered.
    void ended(const Watched& item);
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
    /// Counts for people.
    [[nodiscard]] std::string result() const;
    void tellMissing() const;

private:
    struct Key {
        std::uint32_t id = 0, part = 0;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Waiting {
        const Watched* item;  ///< it is about
        bool onStream;
        std::int64_t sinceMs;
    };
    void send(const Watched& item, std::uint64_t handle, bool onStream, std::uint32_t parts, bool nested);
    [[nodiscard]] static std::string text(const Key& key, const Waiting& w);

    refinitiv::ema::access::OmmConsumer& consumer_;
    const std::uint32_t user_;
    const Wrong wrong_;
    std::map<Key, Waiting> waiting_;
    std::map<int, std::uint64_t> answers_;  // by nak code
    std::uint64_t sent_ = 0, refused_ = 0;  // refused: by the library, at once
    std::uint32_t lastId_ = 0;
};

}  // namespace emissary::truthfeed
