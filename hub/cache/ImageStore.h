// The cached payloads of items: messages are applied as they come, refreshes are written for those that come late
// (hub.md 6).
//
//   ImageId image = 0;
//   if (store.apply(image, refresh, replace) != Applied::ok) ...
//   if (store.apply(image, update, false) != Applied::ok) ...
//   if (store.complete(image) && store.current(image)) e = store.write(image, out);
#pragma once

#include "eta/codec/Msg.h"
#include "eta/dictionary/Dictionary.h"
#include "hub/cache/Counts.h"

#include <cstdint>
#include <memory>

namespace emissary::hub::cache {

class Nodes;
struct Pass;

/// Names the cached payload of one item in one store; 0 = none. Only the item's own record may keep it, since apply()
/// may change it.
using ImageId = std::uint32_t;

/// Limits and rules of a store.
struct StoreOptions {
    bool addUnknownFields = true;          ///< fields that the image lacks are added by updates; else left out
    std::uint64_t maxBytes = 0;            ///< of Counts::bytes; 0 = no limit but memory and 64 GiB
    std::uint32_t maxEntries = 1'000'000;  ///< of one Map or Series; a Vector has at most 65,536
};

/// What came of a message.
enum class Applied : std::uint8_t {
    ok,          ///< applied, or nothing to apply
    notCurrent,  ///< the image is no longer true, or there is none to update (hub.md 6.1, 6.3)
    malformed,   ///< the payload cannot be decoded: the image, if there is one, is not current
    full,        ///< memory or a limit ran out: the image, if there is one, is not current
};

/// Where writing an image in parts stands; see ImageStore::writePart(). Cheap to copy.
struct PartCursor {
    std::uint32_t next = 0;     ///< the entry that comes next
    std::uint16_t partNum = 0;  ///< of the part that comes next; 0 first
    bool last = false;          ///< the part just written was the last one
};

/// Payloads of items, by id. Decodes no values: entries are found by field id, name, key, index or filter id, and their
/// bytes replaced. Reading an image never changes one.
///
/// What is not current stays readable. It is made new by the next refresh that is solicited, has CLEAR_CACHE, or that
/// the caller says replaces it. Memory of dropped images is used again, and given back to the system when a megabyte of
/// it is free in one piece. One thread.
class ImageStore {
public:
    explicit ImageStore(StoreOptions options = {});  ///< throws std::bad_alloc
    ~ImageStore();
    ImageStore(const ImageStore&) = delete;
    ImageStore& operator=(const ImageStore&) = delete;

    /// For ripple, RMTES and lengths; null means without. Images that are there follow from now on. Throws
    /// std::bad_alloc.
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    /// Applies a refresh (hub.md 6.2), an update, or a status with CLEAR_CACHE, which leaves an image without payload;
    /// any other message, and one with DO_NOT_CACHE, changes nothing. A refresh makes the image when `id` is 0, unless
    /// the result is malformed or full; an update does not, nor a part whose first one was not seen (notCurrent). An
    /// image that is there stays readable whatever the result; while it is not current, so is every result.
    ///
    /// `replace`: the first part takes the place of what is there whatever its flags say, as the caller knows when the
    /// item has a new source. It is not looked at in later parts. Nothing of `msg` is kept.
    [[nodiscard]] Applied apply(ImageId& id, const eta::codec::Msg& msg, bool replace) noexcept;

    /// Gives the image back and sets the id to 0; 0 is ignored.
    void drop(ImageId& id) noexcept;
    /// Gives up a refresh of which not all parts have come, as when its source is gone: the image from before is there
    /// again, not current if updates came meanwhile; without one the id becomes 0.
    void abandonParts(ImageId& id) noexcept;

    /// The image is not current from now on; 0 is ignored. `known`: it was not before either, and is not counted again.
    void distrust(ImageId id, bool known = false) noexcept;

    /// False while parts of a refresh are missing, and for 0. Until then write() gives what has come so far.
    [[nodiscard]] bool complete(ImageId id) const noexcept;
    /// Whether the image still tells the truth; false for 0.
    [[nodiscard]] bool current(ImageId id) const noexcept;
    /// Whether the message begins a refresh that takes the place of the image because that is not current.
    [[nodiscard]] bool heals(ImageId id, const eta::codec::Msg& msg) const noexcept;
    /// Of the payload; NoData for 0.
    [[nodiscard]] eta::codec::DataType containerType(ImageId id) const noexcept;

    /// Fetches what apply() and write() will look at first, while something else is done; any id.
    void prefetch(ImageId id) const noexcept;

    /// Appends the payload of a refresh: standard data, entries in order of first appearance, Map entries as Add,
    /// entries of filter lists and vectors as Set, those of a vector by index. On failure the writer is back where it
    /// stood: noSpace, or outOfRange for what one message cannot carry (more than 65,535 entries, a nested container
    /// beyond 65,535 bytes).
    [[nodiscard]] eta::Error write(ImageId id, eta::BeWriter& out) const noexcept;
    /// Bytes that are enough for write(); with that much room it is fastest. Costs as much as a walk over the image.
    [[nodiscard]] std::size_t maxSize(ImageId id) const noexcept;
    /// True for a Map, Vector or Series that takes more than `partBytes` (hub.md 5.2). Stops counting there.
    [[nodiscard]] bool inParts(ImageId id, std::size_t partBytes) const noexcept;
    /// Appends the next part: as many entries as fit into `partBytes`, at least one; the first part has the summary.
    /// Begin with a new cursor and go on until `at.last`. All parts are taken in one go: after apply() or drop() for
    /// this image the cursor is of no use. Any other payload is one part. Failure as write(), the cursor unchanged.
    [[nodiscard]] eta::Error writePart(ImageId id, eta::BeWriter& out, std::size_t partBytes,
                                       PartCursor& at) const noexcept;

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }               ///< any thread
    [[nodiscard]] std::uint64_t bytes() const noexcept { return counts_.bytes.get(); }    ///< memory in use
    [[nodiscard]] std::uint64_t images() const noexcept { return counts_.images.get(); }  ///< images there are
    [[nodiscard]] const StoreOptions& options() const noexcept { return options_; }       ///< as given

private:
    struct Incoming;
    [[nodiscard]] Applied update(ImageId& id, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied refresh(ImageId& id, const eta::codec::Msg& msg, bool replace) noexcept;
    [[nodiscard]] Applied build(std::uint32_t& made, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied replaced(ImageId& id, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied beginParts(ImageId& id, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied laterPart(ImageId& id, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied overlaid(ImageId& id, const eta::codec::Msg& msg) noexcept;
    [[nodiscard]] Applied clear(ImageId& id) noexcept;
    [[nodiscard]] Applied merge(std::uint32_t& image, Incoming& in) noexcept;
    [[nodiscard]] Applied finish(std::uint32_t image, std::uint8_t flags, const Pass& pass) noexcept;
    [[nodiscard]] Pass pass() noexcept;
    [[nodiscard]] static eta::Error written(eta::BeWriter& out, std::size_t from) noexcept;

    Counts counts_;
    StoreOptions options_;
    std::unique_ptr<Nodes> nodes_;
};

}  // namespace emissary::hub::cache
