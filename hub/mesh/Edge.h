// The edge's side: items of other hubs, kept current or shown as suspect (hub.md 12.4).
#pragma once

#include "hub/mesh/EdgeRecords.h"
#include "hub/mesh/FarDictionary.h"
#include "hub/mesh/PeerRow.h"
#include "hub/mesh/Pending.h"
#include "hub/mesh/Successors.h"
#include "hub/mesh/statements.h"

#include <span>

namespace emissary::hub::mesh {

/// Hears what happens to items. Called on the node's thread; must not open or close items inside the call.
class EdgeListener {
public:
    virtual void image(std::uint32_t item, std::uint32_t version, Bytes refresh) = 0;
    virtual void update(std::uint32_t item, std::uint32_t version, Bytes message) = 0;
    /// Ok or Suspect, after a change; Edge::isCurrent() is what counts.
    virtual void state(std::uint32_t item, bool current) = 0;
    /// The owner has closed or refused it; close() is still to be called.
    virtual void ended(std::uint32_t item, Bytes status) = 0;
    /// Whether this image of another owner may take the place of what is shown as current; no effect. When it may not,
    /// the next owner is asked again, and the item stays meanwhile.
    [[nodiscard]] virtual bool canReplace(Bytes image) const = 0;
    /// A post that had asked for an ack is over; once for each that Edge::post() has taken. `cookie` is that of the
    /// call.
    virtual void postEnded(std::uint64_t /*cookie*/, const PostEnd& /*end*/) {}
    /// All of a dictionary that was wanted (Edge::wantDictionary()), and the hub that offers it. With each tick until
    /// the answer is not `more`; `step` counts the calls, and 0 begins anew. The parts need not fit the id.
    [[nodiscard]] virtual DictionaryUse dictionary(const DictionaryParts& /*all*/, const std::string& /*hub*/,
                                                   std::uint32_t /*step*/) {
        return DictionaryUse::taken;
    }

protected:
    ~EdgeListener() = default;
};

/// What a heartbeat says to this node.
struct HeartbeatClaims {
    eta::TimePoint at;  ///< this node's time when it sent the heartbeat that the other one quotes
    std::uint32_t registration = 0, load = 0, directoryVersion = 0;
    std::uint32_t features = 0;  ///< kTakesParts
    std::uint64_t unicastLast = 0;
    std::uint64_t dictionary = 0;       ///< id of the one that it offers
    std::uint32_t dictionaryParts = 0;  ///< of it
    std::string_view dictionaryVersion;
    std::span<const std::uint64_t> wideLast;  ///< by lane
};

/// Asks owners for items, checks lanes, repairs. The node's thread. An update in its order allocates nothing.
class Edge {
public:
    /// Borrows all; they outlive it.
    Edge(Sender& sender, EdgeListener& listener, const MeshOptions& options, MeshCounts& counts);

    /// The item's index here; the same one when it is open already. -1: too many, or the names are too long.
    std::int64_t open(const std::string& service, const std::string& name);
    void close(std::uint32_t item);
    /// An image or a refusal has come for the item.
    [[nodiscard]] bool answered(std::uint32_t item) const noexcept {
        return items_[item].phase != Phase::asking && !over(items_[item].owner);
    }
    /// The owner sends the item's image once more, and keeps what it has of its source meanwhile: image() follows. Not
    /// before answered().
    void askAgain(std::uint32_t item);

    /// The offer of the owner that would be asked for items of the service now; null: no owner can be.
    [[nodiscard]] const OfferedService* offered(const std::string& service) const noexcept;
    /// Grows whenever offered() may say something else. An owner's silence counts from the next tick() on.
    [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }
    /// Whoever serves the item; null: nobody, or the owner does not offer its service any more.
    [[nodiscard]] const OfferedService* ownerOf(std::uint32_t item) const noexcept;
    /// Why an item is not current.
    enum class Doubt : std::uint8_t {
        noOwner,  ///< no hub offers its service
        silent,   ///< nothing was heard of its owner for too long
        asked,    ///< the owner has not sent an image yet
        missing,  ///< updates are missing, and are being asked for
    };
    [[nodiscard]] Doubt doubt(std::uint32_t item) const noexcept;
    /// What became of a post when it was given to the edge.
    enum class Posting : std::uint8_t {
        taken,    ///< it is on its way
        noOwner,  ///< no hub that would have to take it can be reached, or it has not sent the item yet
        full,     ///< bounds of MeshOptions
        tooLong,  ///< more than MeshOptions::maxPost bytes, or kMostPost where the owner takes no parts
    };
    /// A post on an item that has come, for its owner: once, and in the order of the calls. With `asks` postEnded()
    /// follows, later. Throws std::bad_alloc; nothing has happened then.
    [[nodiscard]] Posting post(std::uint32_t item, bool asks, std::uint64_t cookie, Bytes head, Bytes body);
    /// The same, for the owner that has the item of these names, or would be asked for it.
    [[nodiscard]] Posting post(const std::string& service, const std::string& name, bool asks, std::uint64_t cookie,
                               Bytes head, Bytes body);
    /// Whether this node takes the dictionary of an owner: of the one with the best rank, and again when that one
    /// offers another. EdgeListener::dictionary() gets it.
    void wantDictionary(bool wanted);
    /// A dictionary that another node offers, and that node's name.
    struct OfferedDictionary {
        std::uint32_t node = 0;
        std::string hub, version;
    };
    /// Of all owners that are reached and have said what they offer.
    [[nodiscard]] std::vector<OfferedDictionary> dictionaries() const;
    /// Posts that are not over.
    [[nodiscard]] std::size_t posts() const noexcept { return postTotals_.posts; }
    /// isCurrent() now. When true, state() says so when that ends, as if it had said before that the item is current.
    /// For listeners that show an image with the state that it has.
    bool show(std::uint32_t item);

    /// Whether the value may be shown as Ok: the owner said after `now` - 4 heartbeats that it had sent nothing that
    /// has not come. This is the only place that decides it.
    [[nodiscard]] bool isCurrent(std::uint32_t item, eta::TimePoint now) const noexcept;
    [[nodiscard]] const EdgeItem& item(std::uint32_t index) const noexcept { return items_[index]; }
    [[nodiscard]] std::size_t open() const noexcept { return byKey_.size(); }
    /// Ways on which updates come: of each owner one to this node, and those for everybody that have been joined.
    [[nodiscard]] std::size_t lanes() const noexcept;
    /// Fills in what the edge knows of an owner.
    void describe(std::size_t slot, PeerRow& row) const;
    /// Items of the service without an owner.
    [[nodiscard]] std::size_t waiting(const std::string& service) const { return homes_.count(service, kNoOwner); }

    void join(std::size_t slot, std::uint32_t node, std::uint64_t epoch);  ///< another node, or another life of it
    /// What it has sent is void from now on. Its items hear of it one after the other, MeshOptions::walkATurn in a
    /// tick.
    void leave(std::size_t slot);
    /// Items need this owner, alive or not. One that was asked only as the next owner is let go.
    [[nodiscard]] bool holds(std::size_t slot) const noexcept {
        const Remote& r = remotes_[slot];
        return !r.byNumber.empty() || r.asking != successors_.count(r.id) || (r.posts && !r.posts->idle());
    }

    void data(std::size_t slot, const Header& header, Bytes records);
    void replied(std::size_t slot, const Header& header, Bytes records);
    void directory(std::size_t slot, const Header& header, Bytes records);
    void heartbeat(std::size_t slot, const HeartbeatClaims& claims);
    /// Any frame of the owner in its epoch has come: it is there, which proves nothing of its items.
    void heard(std::size_t slot) noexcept;
    /// The bus says that nobody receives requests there: MeshNode::nobodyListens(). It counts when the bus says so once
    /// more after MeshOptions::sure(), or after MeshOptions::askEvery() where the owner's items could not all be
    /// asked for in time after that.
    void nobodyListens(std::string_view subject) noexcept;
    void tick();
    /// There is more to do than one tick may: the next one is to follow at once, behind what else waits.
    [[nodiscard]] bool busy() const noexcept { return more_; }

private:
    /// The life that this number stands for has ended (leave()), and its items need not have heard of it yet.
    [[nodiscard]] bool over(std::uint32_t owner) const noexcept {
        return owner != kNoOwner && remotes_[slotOf(owner)].id != owner;
    }
    /// Items of lives that are over lose what they have of them, and get another owner if there is one.
    void endLives();
    /// The walk over the lane's items goes on.
    void walkLane(EdgeLane& lane, std::size_t& left);
    bool walkLanes(Remote& r, std::size_t& left);
    [[nodiscard]] bool certain(const EdgeItem& item, const Remote& r) const noexcept;
    [[nodiscard]] EdgeLane* laneOf(Remote& r, std::uint16_t lane) const noexcept;
    [[nodiscard]] const EdgeLane* laneOf(const Remote& r, std::uint16_t lane) const noexcept;
    [[nodiscard]] bool reachable(const Remote& r) const noexcept;
    enum class Doubtful : std::uint8_t { last, asAny };
    /// `without`: slots that are passed over, a bit each. `doubtful`: whether owners that may be gone come behind all
    /// others.
    [[nodiscard]] std::uint32_t bestOwner(const std::string& service, std::uint64_t without = 0,
                                          Doubtful doubtful = Doubtful::last) const noexcept;
    void lookAfter(Remote& r, std::size_t slot, eta::TimePoint now);
    /// When another owner has to be asked at the latest, so that it has all of this one's items before they are
    /// suspect.
    [[nodiscard]] eta::TimePoint moveBy(const Remote& r) const noexcept;
    void serve(std::uint32_t index, std::uint32_t owner);
    /// Asks the next owner; the item stays with the one that it has until the image comes.
    void succeed(std::uint32_t index, std::uint32_t owner);
    void forgetSuccessor(std::uint32_t index);
    /// Its owner does not leave, and is in no doubt: a wish at a next one is given up.
    [[nodiscard]] bool stays(std::uint32_t index) const noexcept;
    /// The time of a wish at a next owner is over, without an image that could be shown.
    void askSuccessorAgain(std::uint32_t index, eta::TimePoint now);
    /// Another owner of the item that does not leave and has not refused it; kNoOwner: there is none.
    [[nodiscard]] std::uint32_t nextOwner(const EdgeItem& item) const noexcept;
    /// Owners that have refused the item. When a node has left, what its slot has refused would count for the one that
    /// comes there, so all is forgotten: the others are asked once more at most.
    [[nodiscard]] std::uint64_t refusedOf(const EdgeItem& item) const noexcept {
        return item.refusedIn == peerSets_ ? item.refused : 0;
    }
    void refusedBy(EdgeItem& item, std::size_t slot) noexcept {
        item.refused = refusedOf(item) | std::uint64_t{1} << slot;
        item.refusedIn = peerSets_;
    }
    /// The item goes to the owner that was asked for it, as if it had been its own and had not answered yet.
    void adopt(std::uint32_t index);
    void wish(std::uint32_t index);
    void unbind(std::uint32_t index);
    [[nodiscard]] static std::uint64_t coveredFrom(const EdgeItem& item, std::uint64_t sequence) noexcept;
    void intoLane(Remote& r, std::uint32_t index, std::uint16_t lane);
    void outOfLane(Remote& r, std::uint32_t index);
    void leaveLane(Remote& r, std::size_t lane);
    void chooseSoon() noexcept { choose_ = chooseAnew_ = true, ++changes_; }
    void chooseOwners();
    void enqueue(std::uint32_t index);
    void checkAll(Remote& r);
    void pump(Remote& r);
    /// At the turn's time: a lane whose proof ended by a later clock would be marked, and its items looked at with the
    /// earlier one, as current, and never again.
    void checkLanes(Remote& r, eta::TimePoint now);
    void swept(EdgeLane& lane, const LaneIn::Loss& loss);
    void laneRecords(Remote& r, EdgeLane& lane, std::uint64_t sequence, Bytes records);
    void inOrder(Remote& r, std::uint32_t index, const Record& record);
    void drain(Remote& r, std::uint32_t index);
    void switched(Remote& r, std::uint32_t index, Bytes body);
    void stated(Remote& r, const Record& record);
    void end(std::uint32_t index, Bytes status);
    [[nodiscard]] Posting post(Remote& r, std::uint32_t number, bool asks, std::uint64_t cookie, Bytes head,
                               Bytes body);
    void postsSaid(Remote& r, const Record& record);
    /// The slot of the owner whose dictionary would be taken.
    [[nodiscard]] std::uint32_t bestDictionary(eta::TimePoint now) const;
    void pumpDictionary(eta::TimePoint now);
    void beginDictionary(eta::TimePoint now);
    void useDictionary(Remote& r, eta::TimePoint now);
    void dictionaryPart(Remote& r, const Record& record);
    /// The owner is not asked for a dictionary for a while, and longer each time; other owners are.
    void withoutDictionary(Remote& r, eta::TimePoint now);
    void refuseDictionary(Remote& r, std::uint64_t id, eta::TimePoint now);
    void endPosts(Remote& r);
    void sendPosts(Remote& r, eta::TimePoint now);
    /// As many as the owner may have, into the request that is being made.
    void pushPosts(Remote& r, eta::TimePoint now);
    void promise(EdgeItem& item, eta::TimePoint until) noexcept;
    void showState(std::uint32_t index, eta::TimePoint now);
    void changed(std::uint32_t index) { states_.soon(items_, index); }

    Sender& sender_;
    EdgeListener& listener_;
    const MeshOptions& options_;
    MeshCounts& counts_;
    std::vector<EdgeItem> items_;
    std::vector<std::uint32_t> freeItems_;
    Homes homes_;
    StateQueue states_;
    std::unordered_map<std::string, std::uint32_t> byKey_;
    std::unordered_map<std::uint32_t, std::uint32_t> byAsk_;
    std::vector<Remote> remotes_;  // by slot
    std::vector<PastLife> past_;   // those with items that have not heard of their end
    std::uint32_t lives_ = 0;
    bool more_ = false;      // busy()
    std::size_t first_ = 0;  // the slot whose lanes are walked first in the next turn
    Pending pending_;
    Successors successors_;
    PostTotals postTotals_;
    FarDictionary fetching_;
    RefusedDictionaries refusedDictionaries_;
    std::uint64_t dictionary_ = 0;  // id of the one that has come
    bool wantsDictionary_ = false;
    std::uint32_t postSessions_ = 0;  // for all owners, as `requests_`
    std::uint32_t asks_ = 0;
    std::uint32_t peerSets_ = 0;                // grows when a node leaves
    std::uint64_t requests_ = 0;                // last sequence, for all owners (RequestOut)
    bool choose_ = false, chooseAnew_ = false;  // owners for items: some are left; from the first one on
    std::uint64_t changes_ = 0;
    std::uint64_t lost_ = 0;                         // Bus::lost() in the last turn
    eta::TimePoint lostAt_ = eta::TimePoint::min();  // when it grew last
};

}  // namespace emissary::hub::mesh
