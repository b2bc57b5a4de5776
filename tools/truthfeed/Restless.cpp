// Draws the next change of an item at random, and carries it out.
#include "Restless.h"

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

void Restless::change(std::uint64_t loginHandle, Dice& dice) {
    if (allResumeMs_ != 0) return;
    // Rarely all at once: a pause on the login stands for every item.
    if (dice() % 200 == 0) {
        if (pauseAll(loginHandle, true)) allResumeMs_ = wallClockMs() + 500 + dice() % 3000;
        return;
    }
    Watched& item = items_[dice() % items_.size()];
    const std::uint32_t what = dice() % 100;
    if (what < 15) {
        ++changes_;
        return reopen_(item);
    }
    if (item.interest != Interest::open) return;
    if (what < 60) return pause(item, dice);
    ReqMsg msg;
    const bool image = dice() % 2 == 0;
    if (what < 80) {
        again(msg, item)
            .priority(static_cast<UInt8>(1 + dice() % 3), static_cast<UInt16>(1 + dice() % 5))
            .initialImage(image);
        if (reissue(item, msg) && image) item.interest = Interest::awaited;
        return;
    }
    const unsigned before = item.copy.view();
    item.copy.ask(dice() % Truth::kViews);
    // A view that was not taken must not be expected from the next image.
    again(msg, item).initialImage(true);
    if (reissue(item, msg)) item.interest = Interest::awaited;
    else item.copy.ask(before);
}

void Restless::resumeDue(std::uint64_t loginHandle, Dice& dice, bool all) {
    const std::int64_t now = wallClockMs();
    if (allResumeMs_ != 0 && (all || allResumeMs_ <= now) && pauseAll(loginHandle, false)) allResumeMs_ = 0;
    if (allResumeMs_ != 0) return;
    for (Watched& item : items_)
        if (item.interest == Interest::paused && (all || item.resumeMs <= now)) resume(item, dice() % 2 == 0);
}

bool Restless::pauseAll(std::uint64_t loginHandle, bool pause) {
    ReqMsg msg;
    msg.domainType(MMT_LOGIN).initialImage(false).pause(pause);
    try {
        consumer_.reissue(msg, loginHandle);
    } catch (const OmmInvalidUsageException&) { return false; }
    ++changes_;
    for (Watched& item : items_)
        // While everything is paused no item gets old; afterwards the limit counts from now.
        item.agesFromMs = wallClockMs() + (pause ? 3'600'000 : staleMs_);
    return true;
}

void Restless::pause(Watched& item, Dice& dice) {
    ReqMsg msg;
    if (!reissue(item, again(msg, item).initialImage(false).pause(true))) return;
    item.interest = Interest::paused;
    item.agesFromMs = wallClockMs() + 3'600'000;
    item.resumeMs = wallClockMs() + 200 + dice() % 4000;
}

void Restless::resume(Watched& item, bool image) {
    ReqMsg msg;
    if (!reissue(item, again(msg, item).initialImage(image))) return;
    item.interest = image ? Interest::awaited : Interest::open;
    item.agesFromMs = wallClockMs() + staleMs_;
}

void Restless::imageCame(Watched& item, bool solicited) {
    // An unsolicited image belongs to no request of this item.
    if (!solicited) return;
    item.copy.answered();
    if (item.interest == Interest::awaited) item.interest = Interest::open;
}

ReqMsg& Restless::again(ReqMsg& msg, const Watched& item) {
    // A reissue repeats the view: without it the item would have all fields again.
    const Truth truth(item.number);
    msg.domainType(truth.domain()).serviceName(item.service.c_str()).name(truth.name().c_str());
    const std::vector<int> fields = truth.fieldsOf(item.copy.view());
    if (fields.empty()) return msg;
    OmmArray ids;
    for (const int fid : fields)
        ids.addInt(fid);
    return msg.payload(ElementList().addUInt(ENAME_VIEW_TYPE, 1).addArray(ENAME_VIEW_DATA, ids.complete()).complete());
}

bool Restless::reissue(const Watched& item, const ReqMsg& msg) {
    try {
        consumer_.reissue(msg, item.handle);
    } catch (const OmmInvalidUsageException&) { return false; }
    ++changes_;
    return true;
}

}  // namespace emissary::truthfeed
