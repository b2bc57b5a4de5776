// What messages of a source that does not serve an item change in what is kept of it.
#include "hub/flow/SecondImage.h"

namespace emissary::hub::flow {

using namespace eta::codec;
using cache::Applied;

bool SecondImage::note(const Item& item, const Msg& msg) {
    const bool gap = item.is(Item::watchesGaps) && msg.cls == MsgClass::Update && msg.hasSeqNum() && hasSeqNum &&
                     msg.seqNum > seqNum + 1;
    if (msg.hasSeqNum()) {
        hasSeqNum = true;
        seqNum = msg.seqNum;
    }
    if (msg.hasQos()) qos = msg.qos;
    if (msg.hasGroupId()) group.assign(msg.groupId.begin(), msg.groupId.end());
    if (msg.hasPermData()) permData.assign(msg.permData.begin(), msg.permData.end());
    if (msg.cls == MsgClass::Refresh) containerType = static_cast<std::uint8_t>(msg.containerType);
    return msg.cls == MsgClass::Refresh ? parts.note(msg) == PartOrder::Is::next : !gap;
}

void SecondImage::restart() noexcept {
    hasSeqNum = false;
    qos = {};
    parts.restart();
    group.clear();
    permData.clear();
}

bool SecondImage::apply(cache::ImageStore& store, const Item& item, const Msg& msg, bool replace) noexcept {
    const bool refresh = msg.cls == MsgClass::Refresh;
    if (refresh && (!item.is(Item::cached) || msg.has(RefreshFlag::doNotCache))) store.drop(image);
    else if (refresh || image != 0) {
        const Applied applied = store.apply(image, msg, replace);
        if (applied == Applied::malformed || applied == Applied::full) store.drop(image);
        return applied != Applied::malformed;
    }
    return true;
}

}  // namespace emissary::hub::flow
