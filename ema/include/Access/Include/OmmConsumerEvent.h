// The stream and session of a consumer callback (ema-api.md 6.2).
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"
#include "Access/Include/EmaVector.h"

#include <memory>

namespace emissary::ema {
class ConsumerImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

/// What a callback belongs to. The consumer owns it; valid until the callback returns, and to be used on that thread
/// only.
class EMA_ACCESS_API OmmConsumerEvent {
public:
    virtual ~OmmConsumerEvent();
    /// The stream's handle, as registerClient() returned it; items of a batch have their own.
    UInt64 getHandle() const;
    void* getClosure() const;        ///< the pointer given to registerClient() or the constructor; never looked at
    UInt64 getParentHandle() const;  ///< handle of the batch that opened the item, or 0
    /// What is known of the connection in use, now; valid until the callback returns.
    const ChannelInformation& getChannelInformation() const;
    /// Counters of the connection in use; throws OmmInvalidUsageException/NoActiveChannel without one.
    const ChannelStatistics& getChannelStatistics() const;
    /// Fills in one entry for each session channel; none without request routing.
    void getSessionInformation(EmaVector<ChannelInformation>& information) const;
    OmmConsumerEvent(const OmmConsumerEvent&) = delete;
    OmmConsumerEvent& operator=(const OmmConsumerEvent&) = delete;

private:
    friend class emissary::ema::ConsumerImpl;
    explicit OmmConsumerEvent(emissary::ema::ConsumerImpl& consumer) noexcept;
    emissary::ema::ConsumerImpl* consumer_;
    UInt64 handle_ = 0, parentHandle_ = 0;
    void* closure_ = nullptr;
    mutable ChannelInformation channelInformation_;  ///< filled when asked for
    mutable ChannelStatistics channelStatistics_;
};

}  // namespace refinitiv::ema::access
