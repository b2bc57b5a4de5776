// Which image a message goes to, and what it makes of it (hub.md 6.2).
#include "hub/cache/ImageStore.h"

#include "hub/cache/ImageWriter.h"
#include "hub/cache/Merger.h"

#include <limits>
#include <new>

namespace emissary::hub::cache {

using eta::codec::Msg;
using eta::codec::MsgClass;
namespace RefreshFlag = eta::codec::RefreshFlag;
namespace StatusFlag = eta::codec::StatusFlag;
namespace UpdateFlag = eta::codec::UpdateFlag;

namespace {
constexpr std::uint8_t kCorrection = 7, kVerify = 11;  // update types that never ripple (hub.md 6.3)
// Bits of what wrote lengths: an estimate may be a little too large, never too small.
constexpr std::uint8_t kMarketPrice = 6;
constexpr std::size_t kSlack = 64;  // lengths are written wide first and made shorter later
}  // namespace

/// A refresh or update on its way into an image.
struct ImageStore::Incoming {
    const Msg& msg;
    Way way;
    Pass pass;
};

ImageStore::ImageStore(StoreOptions options)
    : options_(options), nodes_(std::make_unique<Nodes>(options.maxBytes, counts_)) {}
ImageStore::~ImageStore() = default;

// Shapes have pointers into the dictionary's fields no longer than this call; the old dictionary may go afterwards.
void ImageStore::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    nodes_->shapes.setDictionary(dictionary.get());
    nodes_->dictionary = std::move(dictionary);
}

// --- Images by id

namespace {

/// The image that messages go to: the one that is coming in parts, if there is one.
// While an image comes in parts, messages go to the new one and late joiners wait.
Ref& latest(const Nodes& nodes, ImageId& id) noexcept {
    return id != 0 && nodes.at(id).kind == Kind::parts ? nodes.pool.as<PartsNode>(id)->next : id;
}

Ref newEmpty(Nodes& nodes, DataType type) noexcept {
    const Ref ref = nodes.pool.take(sizeof(Node));
    if (ref == 0) return 0;
    Node& node = *new (nodes.pool.at(ref)) Node;
    node.type = type;
    return ref;
}

}  // namespace

bool ImageStore::complete(ImageId id) const noexcept {
    if (id == 0) return false;
    const Node& node = nodes_->at(id);
    return node.kind != Kind::parts && (node.flags & Node::incomplete) == 0;
}

bool ImageStore::current(ImageId id) const noexcept {
    return id != 0 && (nodes_->at(latest(*nodes_, id)).flags & Node::notCurrent) == 0;
}

DataType ImageStore::containerType(ImageId id) const noexcept {
    return id == 0 ? DataType::NoData : nodes_->at(latest(*nodes_, id)).type;
}

void ImageStore::prefetch(ImageId id) const noexcept {
    // The first KiB: the shape pointer, the slots of a price record, or the head of a list.
    nodes_->pool.prefetch(id, 1024);
}

// The reference is cleared first, so nobody can reach what is being erased.
void ImageStore::drop(ImageId& id) noexcept {
    if (id == 0) return;
    nodes_->erase(std::exchange(id, 0));
    counts_.images -= 1;
}

// Called when parts will not be completed: another source, a gap, an end.
void ImageStore::abandonParts(ImageId& id) noexcept {
    if (id == 0) return;
    Node& node = nodes_->at(id);
    if (node.kind != Kind::parts) {
        if ((node.flags & Node::incomplete) != 0) node.flags = Node::notCurrent;  // some of it was overlaid
        return;
    }
    const PartsNode parts = static_cast<const PartsNode&>(node);
    nodes_->erase(parts.next);
    nodes_->pool.give(id);
    id = parts.before;
    // What the new image had is dropped; the old one is as good as it was.
    if (id == 0) counts_.images -= 1;
}

// --- Applying

Applied ImageStore::apply(ImageId& id, const Msg& msg, bool replace) noexcept {
    if (msg.cls == MsgClass::Update) return update(id, msg);
    if (msg.cls == MsgClass::Refresh) return refresh(id, msg, replace);
    if (msg.cls == MsgClass::Status && msg.has(StatusFlag::clearCache) && id != 0) return clear(id);
    return Applied::ok;
}

Applied ImageStore::update(ImageId& id, const Msg& msg) noexcept {
    // Passed on and not applied (hub.md 5.3).
    if (msg.has(UpdateFlag::doNotCache)) return Applied::ok;
    if (id == 0) return Applied::notCurrent;
    if (Node& node = nodes_->at(id); node.kind == Kind::parts) {
        const auto& parts = static_cast<const PartsNode&>(node);
        // Updates between parts are for the new image (hub.md 6.2).
        if (parts.before != 0) nodes_->at(parts.before).flags |= Node::notCurrent;  // it misses this update
    }
    Ref& image = latest(*nodes_, id);
    Incoming in{msg, Way::update, pass()};
    // Correction and Verify come without ripples, even if the flag is missing (hub.md 6.3).
    in.pass.ripple = !msg.has(UpdateFlag::doNotRipple) && msg.updateType != kCorrection && msg.updateType != kVerify;
    return merge(image, in);
}

Pass ImageStore::pass() noexcept {
    Pass p;
    p.addUnknownFields = options_.addUnknownFields;
    p.maxEntries = options_.maxEntries;
    p.counts = &counts_;
    return p;
}

/// Joins the payload with an image; one of another container type cannot be joined.
Applied ImageStore::merge(Ref& image, Incoming& in) noexcept {
    const Msg& msg = in.msg;
    const Node node = nodes_->at(image);
    const bool nothing = msg.payload.empty() || msg.containerType == DataType::NoData;
    // The image stays, and late joiners wait for a refresh.
    if (!nothing && node.kind != Kind::empty && node.type != msg.containerType) {
        in.pass.current = false;
    } else if (!nothing) {
        Ref content = node.kind == Kind::empty ? 0 : image;
        Merger(*nodes_, in.pass).merge(content, msg.containerType, msg.payload, in.way);
        // An empty image becomes the content; its small node is given back.
        if (content != 0 && node.kind == Kind::empty) nodes_->pool.give(image);
        if (content != 0) image = content;
    }
    return finish(image, node.flags, in.pass);
}

/// Notes what came of a message in the image.
Applied ImageStore::finish(Ref image, std::uint8_t flags, const Pass& pass) noexcept {
    if (pass.fault == Applied::malformed) ++counts_.malformed;
    if (pass.fault == Applied::full) ++counts_.full;
    // Counted once for each time that an image gets out of date.
    if (!pass.current || !pass.ok()) {
        if ((flags & Node::notCurrent) == 0) ++counts_.notCurrent;
        flags |= Node::notCurrent;
    }
    nodes_->at(image).flags = flags;
    if (!pass.ok()) return pass.fault;
    return (flags & Node::notCurrent) == 0 ? Applied::ok : Applied::notCurrent;
}

/// A status with CLEAR_CACHE: consumers have nothing any more, and take updates from there.
// The type stays, so that an image without content can be written.
Applied ImageStore::clear(ImageId& id) noexcept {
    const Ref empty = newEmpty(*nodes_, containerType(id));
    if (empty == 0) return distrust(id), ++counts_.full, Applied::full;
    nodes_->erase(id);
    id = empty;
    return Applied::ok;
}

/// The image is out of date, and the source says how things are, asked for it or not. One that stands for a post says
/// what somebody has contributed, and is joined.
bool ImageStore::heals(ImageId id, const Msg& msg) const noexcept {
    if (id == 0 || (msg.has(RefreshFlag::postUserInfo) && !msg.has(RefreshFlag::solicited))) return false;
    const Node& node = nodes_->at(id);
    const bool parts = node.kind == Kind::parts;
    // Without numbers it is the next part of what is under way, not the first of another refresh.
    if (!msg.hasPartNum() && (parts || (node.flags & Node::incomplete) != 0)) return false;
    // The parts so far are given up.
    const Ref before = parts ? static_cast<const PartsNode&>(node).before : id;
    return before != 0 && (nodes_->at(before).flags & Node::notCurrent) != 0;
}

Applied ImageStore::refresh(ImageId& id, const Msg& msg, bool replace) noexcept {
    if (msg.has(RefreshFlag::doNotCache)) return Applied::ok;
    const bool complete = msg.has(RefreshFlag::complete), solicited = msg.has(RefreshFlag::solicited);
    const bool healed = heals(id, msg);
    const bool numbered = msg.hasPartNum(), pending = id != 0 && nodes_->at(id).kind == Kind::parts;
    // A part of a refresh that began earlier.
    if (numbered && msg.partNum != 0) return laterPart(id, msg);
    const bool anew = replace || msg.has(RefreshFlag::clearCache);
    if (pending && !numbered && !anew) return laterPart(id, msg);  // parts without numbers
    // A new refresh begins before the old one was complete.
    if (pending) abandonParts(id);
    // A solicited complete refresh of MarketPrice replaces, with or without CLEAR_CACHE (hub.md 6.2).
    const bool whole = solicited && complete && msg.domain == kMarketPrice;
    const bool otherType = id != 0 && !msg.payload.empty() && nodes_->at(id).kind != Kind::empty &&
                           msg.containerType != DataType::NoData && msg.containerType != nodes_->at(id).type;
    // In these cases what is stored must not shine through.
    if (id == 0 || anew || whole || healed || otherType) return complete ? replaced(id, msg) : beginParts(id, msg);
    return overlaid(id, msg);
}

/// An image of what this message alone says, beside others; 0 when that fails.
// Built beside the old one, so a refresh that makes no sense leaves the old image.
Applied ImageStore::build(Ref& made, const Msg& msg) noexcept {
    Incoming in{msg, Way::replace, pass()};
    made = newEmpty(*nodes_, msg.containerType);
    if (made == 0) return ++counts_.full, Applied::full;
    const Applied result = merge(made, in);
    if (!in.pass.ok()) nodes_->erase(std::exchange(made, 0));
    return result;
}

/// The image becomes what this message alone says. In place when the fields are the same.
Applied ImageStore::replaced(ImageId& id, const Msg& msg) noexcept {
    // In place: field lists have shapes to reuse, and the slots stay where they are.
    if (id != 0 && nodes_->at(id).kind == Kind::fields && msg.containerType == DataType::FieldList &&
        !msg.payload.empty()) {
        Incoming in{msg, Way::replace, pass()};
        nodes_->at(id).flags = 0;
        return merge(id, in);
    }
    Ref made = 0;
    const Applied result = build(made, msg);
    // The old image is not what the source has any more.
    if (made == 0) return distrust(id), result;
    if (id == 0) ++counts_.images;
    nodes_->erase(std::exchange(id, made));
    return result;
}

/// The first of several parts: what is there stays as it is until the last one.
Applied ImageStore::beginParts(ImageId& id, const Msg& msg) noexcept {
    Ref made = 0;
    // The parts replace the old image with the last one only.
    const Applied result = build(made, msg);
    if (made == 0) return distrust(id), result;
    const Ref ref = nodes_->pool.take(sizeof(PartsNode));
    if (ref == 0) {
        nodes_->erase(made);
        distrust(id);
        return ++counts_.full, Applied::full;
    }
    PartsNode& parts = *new (nodes_->pool.at(ref)) PartsNode;
    parts.kind = Kind::parts;
    parts.before = id;
    parts.next = made;
    parts.expected = 1;
    if (id == 0) ++counts_.images;
    id = ref;
    return result;
}

/// What is there, if anything, is not what the source has.
void ImageStore::distrust(ImageId id, bool known) noexcept {
    if (id == 0) return;
    std::uint8_t& flags = nodes_->at(latest(*nodes_, id)).flags;
    if ((flags & Node::notCurrent) == 0 && !known) ++counts_.notCurrent;
    flags |= Node::notCurrent;
}

/// A part that is not the first.
Applied ImageStore::laterPart(ImageId& id, const Msg& msg) noexcept {
    if (id == 0) return Applied::notCurrent;  // its beginning was not seen
    if (nodes_->at(id).kind != Kind::parts) {
        if ((nodes_->at(id).flags & Node::incomplete) == 0) distrust(id);  // likewise
        return overlaid(id, msg);
    }
    PartsNode& parts = *nodes_->pool.as<PartsNode>(id);
    if (msg.hasPartNum() && msg.partNum != parts.expected) distrust(id);
    ++parts.expected;
    Incoming in{msg, Way::overlay, pass()};
    // Parts of a payload that is not looked into can be in no order.
    if (nodes_->at(parts.next).kind == Kind::bytes) in.pass.current = false;  // bytes cannot be put together
    const Applied result = merge(parts.next, in);
    // The last part: the new image takes the old one's place.
    if (!msg.has(RefreshFlag::complete)) return result;
    const PartsNode done = parts;
    nodes_->erase(done.before);
    nodes_->pool.give(id);
    id = done.next;
    return result;
}

/// The image becomes the superset of what it is and what the message says.
Applied ImageStore::overlaid(ImageId& id, const Msg& msg) noexcept {
    const bool complete = msg.has(RefreshFlag::complete), first = !msg.hasPartNum() || msg.partNum == 0;
    Incoming in{msg, Way::overlay, pass()};
    const Kind kind = nodes_->at(id).kind;
    // A payload that is kept as bytes is replaced by a complete message only.
    if (kind == Kind::bytes && !(first && complete)) in.pass.current = false;
    if (complete) nodes_->at(id).flags &= static_cast<std::uint8_t>(~Node::incomplete);
    else nodes_->at(id).flags |= Node::incomplete;
    return merge(id, in);
}

// --- Writing

Error ImageStore::write(ImageId id, eta::BeWriter& out) const noexcept {
    const std::size_t from = out.size();
    ImageWriter(*nodes_, out).write(latest(*nodes_, id));
    return written(out, from);
}

Error ImageStore::written(eta::BeWriter& out, std::size_t from) noexcept {
    if (out.ok()) return {};
    // The buffer is left as it was before the call, so the caller may write something else into it.
    const Error e{out.failure(), static_cast<std::uint32_t>(from)};
    out.truncate(from);
    out.clearFailure();
    return e;
}

// An upper bound; kSlack covers the lengths that are written wide and shortened later.
std::size_t ImageStore::maxSize(ImageId id) const noexcept {
    return kSlack + wireSize(*nodes_, latest(*nodes_, id), std::numeric_limits<std::size_t>::max());
}

// Only Map, Vector and Series may be sent in parts (hub.md 5.2).
bool ImageStore::inParts(ImageId id, std::size_t partBytes) const noexcept {
    const Ref image = latest(*nodes_, id);
    if (image == 0) return false;
    const DataType type = nodes_->at(image).type;
    if (nodes_->at(image).kind != Kind::entries || type == DataType::ElementList || type == DataType::FilterList)
        return false;
    // The measuring stops at partBytes: a large image costs no walk through all its entries.
    return wireSize(*nodes_, image, partBytes) > partBytes;
}

Error ImageStore::writePart(ImageId id, eta::BeWriter& out, std::size_t partBytes, PartCursor& at) const noexcept {
    const Ref image = latest(*nodes_, id);
    // A single part that is the whole image.
    if (!inParts(id, 0)) {
        const Error e = write(id, out);
        if (e.ok()) at.last = true;
        return e;
    }
    const std::size_t from = out.size();
    PartLimit limit{partBytes, at.next};
    // One part; it says where the next one begins.
    ImageWriter(*nodes_, out).writePart(image, limit);
    if (Error e = written(out, from); !e.ok()) return e;
    at.next = limit.next;
    at.last = limit.next == 0;
    ++at.partNum;
    return {};
}

}  // namespace emissary::hub::cache
