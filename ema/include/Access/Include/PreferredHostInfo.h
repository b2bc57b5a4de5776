// State of the preferred host of one channel (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct PreferredHostInfoImpl;
}

namespace refinitiv::ema::access {

/// Part of ChannelInformation. Copyable. Not thread safe.
class EMA_ACCESS_API PreferredHostInfo {
public:
    PreferredHostInfo();
    PreferredHostInfo(const PreferredHostInfo& other);
    PreferredHostInfo& operator=(const PreferredHostInfo& other);
    virtual ~PreferredHostInfo();
    PreferredHostInfo& clear();
    bool getEnablePreferredHostOptions() const;
    const EmaString& getPHDetectionTimeSchedule() const;  ///< cron text
    UInt32 getPHDetectionTimeInterval() const;            ///< seconds
    const EmaString& getPreferredChannelName() const;
    const EmaString& getPreferredWSBChannelName() const;
    bool getPHFallBackWithInWSBGroup() const;
    UInt32 getRemainingDetectionTime() const;  ///< seconds to the next check
    bool getIsChannelPreferred() const;
    const EmaString& toString() const;  ///< one "key: value" line per member; valid until the object changes
    PreferredHostInfo& enablePreferredHostOptions(bool enable);
    PreferredHostInfo& phDetectionTimeSchedule(EmaString schedule);
    PreferredHostInfo& phDetectionTimeInterval(UInt32 seconds);
    PreferredHostInfo& preferredChannelName(const EmaString& name);
    PreferredHostInfo& preferredWSBChannelName(const EmaString& name);
    PreferredHostInfo& phFallBackWithInWSBGroup(bool fallBack);
    PreferredHostInfo& remainingDetectionTime(UInt32 seconds);
    PreferredHostInfo& isChannelPreferred(bool preferred);

private:
    detail::Owned<emissary::ema::PreferredHostInfoImpl> impl_;
};

}  // namespace refinitiv::ema::access
