// hub/mesh: posts of other nodes, handed on once each, and the acks that they wait for (hub.md 12.9).
#pragma once

#include "hub/mesh/PostsOut.h"
#include "hub/mesh/Sender.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::mesh {

/// A post that waits here, for PostsIn::answer(). An answer to one of a session that is over has no effect.
struct PostRef {
    std::uint64_t session = 0, id = 0;  ///< `session`: a number of this node's own
    friend auto operator<=>(const PostRef&, const PostRef&) = default;
};

/// What came of another node.
struct PostedFar {
    PostRef ref;
    std::uint32_t node = 0;
    std::uint32_t number = 0;  ///< of the item here; 0: the body says which
    bool asks = false;         ///< PostsIn::answer() has to be called, before this call returns or later
    Bytes body;                ///< borrowed
};

/// Hands posts on to their source.
class PostTaker {
public:
    /// In the order of each node. Called on the node's thread; must not tick it or give it frames.
    virtual void posted(const PostedFar& post) = 0;

protected:
    ~PostTaker() = default;
};

/// The owner's side. Of each node it knows the session and the number that has to come next, so that nothing is handed
/// on twice; also of nodes that are silent, for kMostPast of them. Acks are kept until the node says that it has them.
/// The node's thread.
class PostsIn {
public:
    static constexpr std::size_t kMostPast = 1024;

    /// Borrows all; they outlive it. `taker` null: there is nobody who takes posts, and all are refused.
    PostsIn(Sender& sender, const MeshOptions& options, MeshCounts& counts, PostTaker* taker);

    /// Another node that may post, or another life of it; `slot` below 64.
    void join(std::size_t slot, std::uint32_t node, std::uint64_t epoch);
    /// It is silent, or has begun a new life: nobody waits for its acks any more.
    void leave(std::size_t slot);
    /// The latest life of the node that is known here: that of join(), or the one before it whose posts were taken. In
    /// the latter case its posts are dropped, and it has to hear of that life to begin a later one.
    [[nodiscard]] std::uint64_t lastLife(std::size_t slot) const noexcept { return streams_[slot]->lastLife; }
    /// Records of a request, of all kinds; the frame was addressed to this life, and its order was checked.
    void received(std::size_t slot, Bytes records);
    /// One that asked for no answer was not taken: nobody is told.
    void lost() noexcept { counts_.postsLost.add(); }
    /// The answer to a post that had asked for one; the first one counts.
    void answer(const PostRef& ref, std::uint8_t code, Bytes text);
    /// Sends what there is to say, and says again what was not confirmed.
    void tick(eta::TimePoint now);

    /// Posts of the node that wait for the answer of their source.
    [[nodiscard]] std::size_t waiting(std::size_t slot) const noexcept {
        return streams_[slot] ? streams_[slot]->pending : 0;
    }
    [[nodiscard]] std::size_t waiting() const noexcept { return total_; }
    /// Bytes of posts of which not all parts have come.
    [[nodiscard]] std::size_t partBytes() const noexcept { return partBytes_; }

    static constexpr std::uint8_t kNoResources = 5, kDenied = 2, kNoResponse = 6,
                                  kInvalid = 12;  ///< codes of its own answers

private:
    struct Held {
        bool answered = false;
        std::uint8_t code = 0;
        std::string text;
    };
    /// Why a post in parts is not handed on when its last part has come.
    enum class Spoilt : std::uint8_t { no, tooLong, full, late };
    struct Stream {
        std::uint64_t serial = 0;  ///< of the session; never used again
        std::uint64_t epoch = 0, lastLife = 0, next = 1, replies = 0;
        std::uint32_t node = 0, session = 0;
        bool tells = false, gap = false;
        std::size_t pending = 0;  ///< of `held`, those without an answer
        std::unordered_map<std::uint64_t, Held> held;
        std::deque<std::pair<eta::TimePoint, std::uint64_t>> again;  ///< acks to be sent again, if they are there then
        bool inParts = false;                                        ///< the next number goes on with a post
        Spoilt spoilt = Spoilt::no;
        std::vector<std::byte> parts;  ///< of it
        eta::TimePoint partAt;         ///< the last one came
        Batch out;
        std::string to;
    };
    struct Past {
        std::uint64_t epoch = 0, next = 1, at = 0;
        std::uint32_t session = 0;
        bool inParts = false;
    };
    void addPart(Stream& s, Bytes part);
    /// The parts are not needed any more.
    void freeParts(Stream& s) noexcept;
    void endParts(Stream& s) noexcept;
    void begin(Stream& s, std::uint32_t session);
    void post(Stream& s, const Record& r);
    void heard(Stream& s, const Record& r);
    void sendAck(Stream& s, std::uint64_t id, const Held& held, eta::TimePoint now);
    void add(Stream& s, Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body = {});
    void flush(Stream& s);

    Sender& sender_;
    const MeshOptions& options_;
    MeshCounts& counts_;
    PostTaker* const taker_;
    std::vector<std::unique_ptr<Stream>> streams_;             // by slot
    std::unordered_map<std::uint64_t, std::size_t> bySerial_;  // slots
    std::map<std::uint32_t, Past> past_;                       // by node
    std::uint64_t serials_ = 0, left_ = 0;
    std::size_t total_ = 0;
    std::size_t partBytes_ = 0;  // of all streams
};

}  // namespace emissary::hub::mesh
