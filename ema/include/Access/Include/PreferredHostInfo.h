// State of the preferred host of one channel (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct PreferredHostInfoImpl;
}

namespace refinitiv::ema::access {

/// State of the preferred host of one connection, a part of ChannelInformation. The setters are for the library and for
/// tests. Copyable, not thread safe.
class EMA_ACCESS_API PreferredHostInfo {
public:
    PreferredHostInfo();                                           ///< feature off, no schedule, no names
    PreferredHostInfo(const PreferredHostInfo& other);             ///< copies the values
    PreferredHostInfo& operator=(const PreferredHostInfo& other);  ///< copies the values
    virtual ~PreferredHostInfo();
    PreferredHostInfo& clear();                           ///< feature off, no schedule, no names
    bool getEnablePreferredHostOptions() const;           ///< whether connections go back to a preferred host
    const EmaString& getPHDetectionTimeSchedule() const;  ///< cron text; empty = none
    UInt32 getPHDetectionTimeInterval() const;            ///< seconds between looks; 0 = none
    const EmaString& getPreferredChannelName() const;     ///< the preferred channel
    const EmaString& getPreferredWSBChannelName() const;  ///< the preferred warm-standby group
    bool getPHFallBackWithInWSBGroup() const;             ///< whether to go back within a group too
    UInt32 getRemainingDetectionTime() const;             ///< seconds to the next look, rounded up; 0 = none is due
    bool getIsChannelPreferred() const;                   ///< whether the connection in use is the preferred one
    const EmaString& toString() const;  ///< one "key: value" line for each member; valid until the object changes
    PreferredHostInfo& enablePreferredHostOptions(bool enable);  ///< whether connections go back to a preferred host
    /// When to look for it, as cron text (session.md section 6); wins over the interval.
    PreferredHostInfo& phDetectionTimeSchedule(EmaString schedule);
    PreferredHostInfo& phDetectionTimeInterval(UInt32 seconds);         ///< seconds between looks; 0 = none
    PreferredHostInfo& preferredChannelName(const EmaString& name);     ///< the channel to prefer, of the ChannelSet
    PreferredHostInfo& preferredWSBChannelName(const EmaString& name);  ///< the warm-standby group to prefer
    /// Whether to go back to the starting server within a group too.
    PreferredHostInfo& phFallBackWithInWSBGroup(bool fallBack);
    PreferredHostInfo& remainingDetectionTime(UInt32 seconds);  ///< seconds to the next look
    PreferredHostInfo& isChannelPreferred(bool preferred);      ///< whether the connection in use is the preferred one

private:
    detail::Owned<emissary::ema::PreferredHostInfoImpl> impl_;
};

}  // namespace refinitiv::ema::access
