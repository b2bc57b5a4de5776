// hub/mesh: posts to one owner that are not over (hub.md 12.9).
#pragma once

#include "eta/core/bytes.h"
#include "hub/mesh/MeshOptions.h"
#include "hub/mesh/frames.h"
#include "hub/mesh/mesh_counts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace emissary::hub::mesh {

/// Longest body of a post, with what the owner's hub needs to know of it: a request goes in one piece.
inline constexpr std::size_t kMostPost = 64 * 1024;
/// Bytes of the text of an ack; what is beyond is cut off.
inline constexpr std::size_t kMostAckText = 1000;

/// Flags of a post on the wire. kMore: the next number goes on with this post, and the last of its parts says whether
/// it asks. A node that does not say kTakesParts in its heartbeats does not know it.
enum PostMark : std::uint8_t { kAsksForAck = 1, kVoid = 2, kMore = 4 };
/// What a node can do, in its heartbeats (Kind::summary): posts of other nodes may come in parts.
inline constexpr std::uint32_t kTakesParts = 1;

/// What became of a post.
struct PostEnd {
    enum class Why : std::uint8_t {
        answered,  ///< `code` and `text` are the owner's
        late,      ///< no answer within MeshOptions::postTimeout
        gone,      ///< nothing is heard of the owner any more, or it has begun a new life
    };
    Why why = Why::answered;
    std::uint8_t code = 0;  ///< 0: the post was taken
    eta::Bytes text{};      ///< borrowed
};

/// Of all owners together, for the bounds.
struct PostTotals {
    std::size_t posts = 0, bytes = 0;  ///< not over; bytes of those that no owner has yet
};

/// Numbers posts, keeps each until the owner has it, and what waits for an ack until that has come. Numbers of a
/// session rise by one, and the owner takes them in that order and each once. A session ends when the owner is lost:
/// all its posts are over then, whatever became of them there.
class PostsOut {
public:
    PostsOut(const MeshOptions& options, MeshCounts& counts, PostTotals& totals) noexcept
        : options_(options), counts_(counts), totals_(totals) {}

    /// No bound is reached.
    [[nodiscard]] bool fits(std::size_t bytes) const noexcept {
        return totals_.posts + bytes / kMostPost < options_.maxPosts && bytes <= options_.maxPostBytes &&
               totals_.bytes <= options_.maxPostBytes - bytes;
    }
    /// `sessions`: the number of the last session of all owners, which counts on when this begins one. A post of more
    /// than kMostPost bytes becomes several, each with a number. Throws std::bad_alloc; nothing has happened then.
    void add(std::uint32_t& sessions, std::uint32_t number, bool asks, std::uint64_t cookie, eta::Bytes head,
             eta::Bytes body, eta::TimePoint now);

    /// Calls `emit(Kind, number, session, head, body)` for what has to be sent now.
    template <class Emit>
    void send(eta::TimePoint now, Emit&& emit) {
        if (session_ == 0) return;
        if (sent_ > taken_ && now - progressAt_ >= options_.retry) goBack(now);
        for (; sent_ < last_ && sent_ - taken_ < kWindow && flight_ < kWindowBytes; ++sent_) {
            const Post& p = untaken_[static_cast<std::size_t>(sent_ - taken_)];
            std::array<std::byte, 9> head;
            eta::BeWriter out(head);
            out.write(sent_ + 1);
            out.u8(static_cast<std::uint8_t>((p.asks ? kAsksForAck : 0) | (p.isVoid ? kVoid : p.more ? kMore : 0)));
            if (sent_ == taken_) progressAt_ = now;
            if (sent_ < highest_) counts_.postsSentAgain.add();
            flight_ += p.body.size();
            emit(Kind::post, p.number, session_, eta::Bytes(head), eta::Bytes(p.body));
        }
        highest_ = std::max(highest_, sent_);
        for (std::size_t at = 0; at < heard_.size();) {
            std::array<std::byte, 8 * kHeardAtOnce> ids;
            eta::BeWriter out(ids);
            for (; at < heard_.size() && out.size() < ids.size(); ++at)
                out.write(heard_[at]);
            emit(Kind::ackHeard, 0u, session_, out.view(), eta::Bytes());
        }
        heard_.clear();
    }

    /// The owner has all up to `upTo`; `gap`: and something behind that which it cannot use yet.
    void taken(std::uint32_t session, std::uint64_t upTo, bool gap, eta::TimePoint now);
    /// An ack has come. True: a post waited for it; `cookie` is that post's, and the post is over.
    [[nodiscard]] bool acked(std::uint32_t session, std::uint64_t id, std::uint64_t& cookie);
    /// Ends posts whose time is over. True: the oldest of them that had asked for an ack, with its cookie; call again.
    /// False: none is left.
    [[nodiscard]] bool expired(eta::TimePoint now, std::uint64_t& cookie);
    /// The session is over. Cookies of posts that had asked for an ack.
    [[nodiscard]] std::vector<std::uint64_t> end();

    /// The number of the last one that was added.
    [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
    /// The owner has that one, and all before it.
    [[nodiscard]] bool hasTaken(std::uint64_t number) const noexcept { return number <= taken_; }
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
    /// Nothing waits to be taken by the owner, and every answer has come.
    [[nodiscard]] bool idle() const noexcept { return waiting_.empty() && untaken_.empty(); }

private:
    static constexpr std::uint64_t kWindow = 1024;           // sent, and not yet known to be taken
    static constexpr std::size_t kWindowBytes = 512 * 1024;  // their bodies
    static constexpr std::size_t kHeardAtOnce = 500;
    struct Post {
        std::uint32_t number = 0;
        bool asks = false;
        bool more = false;    ///< a part of a post that is not its last one
        bool isVoid = false;  ///< its poster was told that it is over: the owner passes over it
        std::vector<std::byte> body;
        eta::TimePoint since;
    };
    struct Waiting {
        std::uint64_t cookie = 0;
        eta::TimePoint since;
    };
    void goBack(eta::TimePoint now) noexcept;
    void makeVoid(std::uint64_t id) noexcept;
    [[nodiscard]] bool isDue(eta::TimePoint since, eta::TimePoint now) const noexcept {
        return options_.postTimeout > eta::Duration::zero() && now - since >= options_.postTimeout;
    }

    const MeshOptions& options_;
    MeshCounts& counts_;
    PostTotals& totals_;
    std::uint32_t session_ = 0;                      // 0: there is none
    std::uint64_t last_ = 0, sent_ = 0, taken_ = 0;  // numbers
    std::uint64_t highest_ = 0;                      // that was ever sent
    std::uint64_t voided_ = 0;                       // up to here the time is over
    std::size_t flight_ = 0;                         // bytes of those between taken_ and sent_
    std::deque<Post> untaken_;                       // numbers from taken_ + 1 on
    std::map<std::uint64_t, Waiting> waiting_;       // for acks; in the order of time as well
    std::vector<std::uint64_t> heard_;               // acks that the owner need not keep any more
    eta::TimePoint progressAt_, wentBackAt_;
};

}  // namespace emissary::hub::mesh
