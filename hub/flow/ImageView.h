// An item's image, for whatever reads it beside the way of messages: pages, programs that a hub is a part of, outputs.
#pragma once

#include "hub/flow/Headers.h"
#include "hub/flow/ItemFlow.h"

namespace emissary::hub::flow {

/// Reads only: a view cannot change image or item. Good until the next message for the item. The flow and
/// the item outlive the view. Stage thread only.
class ImageView {
public:
    ImageView(ItemFlow& flow, const Item& item) : store_(flow.store(item.service)), item_(item) {}

    /// There is an image. Without one the others say no, NoData and 0.
    [[nodiscard]] explicit operator bool() const noexcept { return item_.image != 0; }
    /// All parts of its refresh have come.
    [[nodiscard]] bool complete() const noexcept { return store_.complete(item_.image); }
    /// It tells what its source has; false for Suspect payloads that could not be kept up to date (hub.md 6.1).
    [[nodiscard]] bool current() const noexcept { return store_.current(item_.image) && !item_.is(Item::notCurrent); }
    [[nodiscard]] eta::codec::DataType containerType() const noexcept { return store_.containerType(item_.image); }
    /// Bytes that are enough for refresh(); costs as much as a walk over the image.
    [[nodiscard]] std::size_t maxSize() const noexcept { return item_.image == 0 ? 0 : store_.maxSize(item_.image); }
    /// A complete refresh in one message: key, state, QoS and sequence number of the item, and the payload, which is
    /// appended to `payload`. It borrows the item and `payload`. On failure that is as it was before: noSpace, or
    /// outOfRange for what one message cannot carry; `closed` without an image.
    [[nodiscard]] eta::Error refresh(Msg& m, eta::BeWriter& payload) const {
        using namespace eta::codec;
        if (item_.image == 0) return {eta::Errc::closed, 0};
        const std::size_t from = payload.size();
        if (const eta::Error e = store_.write(item_.image, payload); !e.ok()) return e;
        m = {};
        m.cls = MsgClass::Refresh;
        m.domain = item_.domain;
        m.flags = RefreshFlag::msgKey | RefreshFlag::complete;
        sayQos(m, item_.qos);
        if (item_.is(Item::hasSeqNum)) {
            m.flags |= RefreshFlag::seqNum;
            m.seqNum = item_.seqNum;
        }
        m.key = item_.msgKey();
        m.state = item_.state();
        m.containerType = containerType();
        m.payload = payload.view().subspan(from);
        return {};
    }

private:
    const cache::ImageStore& store_;
    const Item& item_;
};

}  // namespace emissary::hub::flow
