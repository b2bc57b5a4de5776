// Several messages in one transport message (ema-api.md section 8).
#pragma once

#include "Access/Include/Common.h"

#include <memory>

namespace emissary::ema {
struct PackedMsgImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

class OmmProvider;
class Msg;

/// Gathers messages that go out as one transport message: to one client (interactive) or to the server
/// (non-interactive). RWF connections only. The provider must outlive it. Errors are reported as those of the
/// provider's own members. Not thread safe: one pack for each thread.
class EMA_ACCESS_API PackedMsg {
public:
    PackedMsg(OmmProvider& provider);  ///< empty; call initBuffer() before adding
    virtual ~PackedMsg();
    PackedMsg(const PackedMsg&) = delete;
    PackedMsg& operator=(const PackedMsg&) = delete;
    /// Begins a pack, releasing one that was not submitted; without `maxSize` of 6000 bytes, or as many as one
    /// transport message holds. Interactive: for the client of event.getClientHandle(); non-interactive: for the
    /// connection in use, without a handle. The form of the other role throws
    /// OmmInvalidUsageException/InvalidOperation, and so does a JSON connection; a size above one transport message
    /// InvalidArgumentEnum; no connection NoActiveChannelEnum, an unknown client OmmInvalidHandleException.
    PackedMsg& initBuffer();
    PackedMsg& initBuffer(UInt32 maxSize);                       ///< non-interactive
    PackedMsg& initBuffer(UInt64 clientHandle);                  ///< interactive: the client that the pack goes to
    PackedMsg& initBuffer(UInt64 clientHandle, UInt32 maxSize);  ///< interactive
    /// Encodes a message behind the others; the argument may be reused. `itemHandle` as in OmmProvider::submit().
    /// Throws OmmInvalidUsageException: BufferTooSmallEnum when it does not fit (the pack keeps what it has: submit it,
    /// begin another, add again), InvalidOperationEnum before initBuffer(), for an untouched message and for handle 0
    /// of an interactive provider, InvalidArgumentEnum for an unknown service; a message that cannot be encoded
    /// releases the pack. Nothing of a pack takes effect before it is submitted: a service that an interactive
    /// provider adds by a directory message in the pack is unknown to the messages behind it. Submit that one first.
    PackedMsg& addMsg(const Msg& msg, UInt64 itemHandle);
    UInt64 remainingSize() const;   ///< bytes that are left; 0 before initBuffer()
    UInt64 packedMsgCount() const;  ///< messages added since initBuffer()
    UInt64 maxSize() const;         ///< bytes of the pack; 0 before initBuffer()
    PackedMsg& clear();             ///< releases the pack without sending it

private:
    friend class OmmProvider;
    std::unique_ptr<emissary::ema::PackedMsgImpl> impl_;
};

}  // namespace refinitiv::ema::access
