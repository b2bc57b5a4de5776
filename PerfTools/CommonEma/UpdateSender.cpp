// Submits updates, fills packed messages, and counts what was refused.
#include "UpdateSender.h"

#include "EmaErrors.h"

#include <algorithm>
#include <stdexcept>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

using Fate = UpdateSender::Fate;

// What the exception that is being handled means; rethrows it unless buffers are short, the item is closed or the
// connection is lost.
[[nodiscard]] Fate fateOf(const OmmException& exception, bool interactive) {
    if (exception.getExceptionType() == OmmException::OmmInvalidHandleExceptionEnum) return Fate::itemGone;
    switch (usageCode(exception)) {
    case OmmInvalidUsageException::NoBuffersEnum:
        return Fate::noBuffers;
    case OmmInvalidUsageException::InvalidArgumentEnum:  // the code of an interactive provider for a closed item
        if (!interactive) throw;
        return Fate::itemGone;
    case OmmInvalidUsageException::NoActiveChannelEnum:
    case OmmInvalidUsageException::FailureEnum:
        return Fate::clientGone;
    default:
        throw;
    }
}

}  // namespace

UpdateSender::UpdateSender(OmmProvider& provider, std::uint32_t maxPackCount, std::uint32_t packBytes)
    : provider_(provider), maxPackCount_(maxPackCount), packBytes_(packBytes) {
    if (maxPackCount > 1) pack_ = std::make_unique<PackedMsg>(provider);
}

UpdateSender::~UpdateSender() = default;

void UpdateSender::begin(std::uint64_t client, bool packs) {
    client_ = client;
    packsNow_ = packs && pack_ != nullptr;
    burst_ = {};
}

UpdateSender::Fate UpdateSender::send(const UpdateMsg& update, std::uint64_t handle) {
    return packsNow_ ? pack(update, handle) : single(update, handle);
}

UpdateSender::Burst UpdateSender::end() {
    if (packing_ && pack_->packedMsgCount() != 0) {
        const std::uint64_t packed = pack_->packedMsgCount();
        if (flushPack() == Fate::noBuffers) burst_.dropped = packed;
    }
    dropPack();
    return burst_;
}

Fate UpdateSender::single(const UpdateMsg& update, std::uint64_t handle) {
    try {
        provider_.submit(update, handle);
    } catch (const OmmException& exception) { return fateOf(exception, client_ != kNoClient); }
    ++burst_.sent;
    return Fate::taken;
}

Fate UpdateSender::pack(const UpdateMsg& update, std::uint64_t handle) {
    // A pack without room for the largest update so far counts as full: that is cheaper than trying.
    if (packing_ && pack_->packedMsgCount() != 0 &&
        (pack_->packedMsgCount() >= maxPackCount_ || pack_->remainingSize() < largest_))
        if (const Fate fate = flushPack(); fate != Fate::taken) return fate;
    for (;;) {
        if (!packing_)
            if (const Fate fate = startPack(); fate != Fate::taken) return fate;
        if (!packing_) return single(update, handle);
        const std::uint64_t room = pack_->remainingSize();
        try {
            pack_->addMsg(update, handle);
        } catch (const OmmInvalidUsageException& exception) {
            if (exception.getErrorCode() != OmmInvalidUsageException::BufferTooSmallEnum)
                return fateOf(exception, client_ != kNoClient);
            if (pack_->packedMsgCount() == 0) {  // too large for any pack
                tellOnce(tooLargeTold_, "-packBufSize " + std::to_string(packBytes_) +
                                            " has no room for an update: it is sent by itself, as every larger one "
                                            "will be. Choose more.\n");
                return single(update, handle);
            }
            if (const Fate fate = flushPack(); fate != Fate::taken) return fate;
            continue;
        } catch (const OmmException& exception) { return fateOf(exception, client_ != kNoClient); }
        largest_ = std::max<std::uint64_t>(largest_, room - pack_->remainingSize());
        return Fate::taken;
    }
}

// Afterwards packing_ tells whether there is a pack: connections that speak JSON have none.
Fate UpdateSender::startPack() {
    try {
        if (client_ == kNoClient) pack_->initBuffer(static_cast<UInt32>(packBytes_));
        else pack_->initBuffer(client_, packBytes_);
        packing_ = true;
    } catch (const OmmInvalidUsageException& exception) {
        switch (exception.getErrorCode()) {
        case OmmInvalidUsageException::InvalidOperationEnum:
            packsNow_ = burst_.takesPacks = false;
            tellOnce(unpackedTold_,
                     "-maxPackCount: a connection speaks JSON, or the items are in a tunnel stream, which "
                     "have no packs; its updates are sent one by one.\n");
            break;
        case OmmInvalidUsageException::InvalidArgumentEnum:
            throw std::runtime_error("-packBufSize: " + std::string(exception.getText().c_str()) +
                                     " Choose less, or a larger fragment size of the server (there -maxFragmentSize).");
        default:
            return fateOf(exception, client_ != kNoClient);
        }
    } catch (const OmmInvalidHandleException&) { return Fate::clientGone; }
    return Fate::taken;
}

// A pack that found no output buffer stays as it is; after any other outcome it is released.
Fate UpdateSender::flushPack() {
    const std::uint64_t packed = pack_->packedMsgCount();
    try {
        provider_.submit(*pack_);
    } catch (const OmmException& exception) {
        const Fate fate = fateOf(exception, client_ != kNoClient);
        // Short buffers are temporary, and the packed messages are still good: the pack waits for the next attempt.
        if (fate != Fate::noBuffers) packing_ = false;
        return fate;
    }
    packing_ = false;
    burst_.sent += packed;
    burst_.packed += packed;
    ++burst_.packs;
    return Fate::taken;
}

void UpdateSender::tellOnce(bool& told, const std::string& text) {
    if (!std::exchange(told, true)) news_ += text;
}

void UpdateSender::dropPack() noexcept {
    if (packing_) pack_->clear();
    packing_ = false;
}

}  // namespace emissary::perf
