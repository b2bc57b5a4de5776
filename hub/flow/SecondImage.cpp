// What messages of a source that does not serve an item change in what is kept of it.
#include "hub/flow/SecondImage.h"

namespace emissary::hub::flow {

using namespace eta::codec;
using cache::Applied;

// False: the image lacks something (a part or an update), so it must not be shown.
bool SecondImage::note(const Item& item, const Msg& msg) {
    const bool gap = item.is(Item::watchesGaps) && msg.cls == MsgClass::Update && msg.hasSeqNum() && hasSeqNum &&
                     msg.seqNum > seqNum + 1;
    // The number is taken even over a gap, so that one gap is found once.
    if (msg.hasSeqNum()) {
        hasSeqNum = true;
        seqNum = msg.seqNum;
    }
    // What a status or update does not say stays as it was.
    if (msg.hasQos()) qos = msg.qos;
    if (msg.hasGroupId()) group.assign(msg.groupId.begin(), msg.groupId.end());
    if (msg.hasPermData()) permData.assign(msg.permData.begin(), msg.permData.end());
    if (msg.cls == MsgClass::Refresh) containerType = static_cast<std::uint8_t>(msg.containerType);
    return msg.cls == MsgClass::Refresh ? parts.note(msg) == PartOrder::Is::next : !gap;
}

// The source begins anew, e.g. after its stream was opened again; what it said of itself before counts for nothing.
void SecondImage::restart() noexcept {
    hasSeqNum = false;
    qos = {};
    parts.restart();
    group.clear();
    permData.clear();
}

bool SecondImage::apply(cache::ImageStore& store, const Msg& msg, bool replace, bool keeps) noexcept {
    const bool refresh = msg.cls == MsgClass::Refresh;
    // DO_NOT_CACHE takes an older image away, as it does for the item itself.
    if (refresh && (!keeps || msg.has(RefreshFlag::doNotCache))) store.drop(image);
    else if (refresh || image != 0) {
        const Applied applied = store.apply(image, msg, replace);
        // No counter and no Suspect: nobody sees this image, and another one comes with the next refresh.
        if (applied == Applied::malformed || applied == Applied::full) store.drop(image);
        return applied != Applied::malformed;
    }
    return true;
}

}  // namespace emissary::hub::flow
