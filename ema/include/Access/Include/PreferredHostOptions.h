// Options of the preferred host, changed at run time (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"
#include "Access/Include/detail/Owned.h"

namespace emissary::ema {
struct PreferredHostOptionsImpl;
}

namespace refinitiv::ema::access {

/// Argument of OmmConsumer::modifyReactorChannelIOCtl(ReactorChannelPreferredHost, &options). Copyable. Not thread
/// safe.
class EMA_ACCESS_API PreferredHostOptions {
public:
    PreferredHostOptions();
    PreferredHostOptions(const PreferredHostOptions& other);
    PreferredHostOptions& operator=(const PreferredHostOptions& other);
    virtual ~PreferredHostOptions();
    PreferredHostOptions& clear();  ///< feature off, no schedule, no names
    PreferredHostOptions& enablePreferredHostOptions(bool enable);
    /// When to look for the preferred host, as cron text; wins over the interval.
    PreferredHostOptions& phDetectionTimeSchedule(const EmaString& schedule);
    PreferredHostOptions& phDetectionTimeInterval(UInt32 seconds);
    PreferredHostOptions& preferredChannelName(const EmaString& name);
    PreferredHostOptions& preferredWSBChannelName(const EmaString& name);  ///< a warm-standby group
    PreferredHostOptions& phFallBackWithInWSBGroup(bool fallBack);
    PreferredHostOptions& sessionChannelName(const EmaString& name);
    bool getEnablePreferredHostOptions() const;
    const EmaString& getPHDetectionTimeSchedule() const;
    UInt32 getPHDetectionTimeInterval() const;  ///< seconds
    const EmaString& getPreferredChannelName() const;
    const EmaString& getPreferredWSBChannelName() const;
    bool getPHFallBackWithInWSBGroup() const;
    const EmaString& getSessionChannelName() const;

private:
    detail::Owned<emissary::ema::PreferredHostOptionsImpl> impl_;
};

}  // namespace refinitiv::ema::access
