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

/// Gathers messages for one client (interactive) or the server (non-interactive). Not thread safe.
class EMA_ACCESS_API PackedMsg {
public:
    PackedMsg(OmmProvider& provider);
    virtual ~PackedMsg();
    PackedMsg(const PackedMsg&) = delete;
    PackedMsg& operator=(const PackedMsg&) = delete;
    PackedMsg& initBuffer();                                     ///< non-interactive; 6000 bytes
    PackedMsg& initBuffer(UInt32 maxSize);                       ///< non-interactive
    PackedMsg& initBuffer(UInt64 clientHandle);                  ///< interactive: the client that the pack goes to
    PackedMsg& initBuffer(UInt64 clientHandle, UInt32 maxSize);  ///< interactive
    PackedMsg& addMsg(const Msg& msg, UInt64 itemHandle);
    UInt64 remainingSize() const;
    UInt64 packedMsgCount() const;
    UInt64 maxSize() const;
    PackedMsg& clear();

private:
    friend class OmmProvider;
    std::unique_ptr<emissary::ema::PackedMsgImpl> impl_;
};

}  // namespace refinitiv::ema::access
