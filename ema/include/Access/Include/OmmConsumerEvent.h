// What a consumer callback belongs to (ema-api.md 6.2).
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"
#include "Access/Include/EmaVector.h"

#include <memory>

namespace emissary::ema {
class ConsumerImpl;
}  // namespace emissary::ema

namespace refinitiv::ema::access {

/// Valid during the callback.
class EMA_ACCESS_API OmmConsumerEvent {
public:
    virtual ~OmmConsumerEvent();
    UInt64 getHandle() const;
    void* getClosure() const;
    UInt64 getParentHandle() const;
    const ChannelInformation& getChannelInformation() const;
    const ChannelStatistics& getChannelStatistics() const;
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
