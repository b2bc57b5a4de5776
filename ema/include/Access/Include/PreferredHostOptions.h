// Options of the preferred host, changed at run time (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct PreferredHostOptionsImpl;
}

namespace refinitiv::ema::access {

/// What to do about a preferred host from now on: argument of
/// OmmConsumer::modifyReactorChannelIOCtl(ReactorChannelPreferredHost, &options), which checks names and schedule and
/// copies. Copyable, not thread safe.
class EMA_ACCESS_API PreferredHostOptions {
public:
    PreferredHostOptions();                                              ///< feature off, no schedule, no names
    PreferredHostOptions(const PreferredHostOptions& other);             ///< copies the values
    PreferredHostOptions& operator=(const PreferredHostOptions& other);  ///< copies the values
    virtual ~PreferredHostOptions();
    PreferredHostOptions& clear();                                  ///< feature off, no schedule, no names
    PreferredHostOptions& enablePreferredHostOptions(bool enable);  ///< whether connections go back to a preferred host
    /// When to look for it, as cron text (session.md section 6); wins over the interval.
    PreferredHostOptions& phDetectionTimeSchedule(const EmaString& schedule);
    PreferredHostOptions& phDetectionTimeInterval(UInt32 seconds);         ///< seconds between looks; 0 = none
    PreferredHostOptions& preferredChannelName(const EmaString& name);     ///< the channel to prefer, of the ChannelSet
    PreferredHostOptions& preferredWSBChannelName(const EmaString& name);  ///< the warm-standby group to prefer
    /// Whether to go back to the starting server within a group too.
    PreferredHostOptions& phFallBackWithInWSBGroup(bool fallBack);
    /// The session channel to change; may be empty when there is only one.
    PreferredHostOptions& sessionChannelName(const EmaString& name);
    bool getEnablePreferredHostOptions() const;           ///< whether connections go back to a preferred host
    const EmaString& getPHDetectionTimeSchedule() const;  ///< cron text; empty = none
    UInt32 getPHDetectionTimeInterval() const;            ///< seconds between looks; 0 = none
    const EmaString& getPreferredChannelName() const;     ///< the preferred channel
    const EmaString& getPreferredWSBChannelName() const;  ///< the preferred warm-standby group
    bool getPHFallBackWithInWSBGroup() const;             ///< whether to go back within a group too
    const EmaString& getSessionChannelName() const;       ///< the session channel to change

private:
    detail::Owned<emissary::ema::PreferredHostOptionsImpl> impl_;
};

}  // namespace refinitiv::ema::access
