// Preferred-host options and state as plain values (ema-api.md section 9).
#include "Access/Include/PreferredHostInfo.h"
#include "Access/Include/PreferredHostOptions.h"

namespace emissary::ema {

/// What an application asks for with modifyReactorChannelIOCtl(); intervals are seconds, 0 = none.
struct PreferredHostOptionsImpl {
    using EmaString = refinitiv::ema::access::EmaString;
    bool enablePreferredHostOptions = false, phFallBackWithInWSBGroup = false;
    refinitiv::ema::access::UInt32 phDetectionTimeInterval = 0;
    EmaString phDetectionTimeSchedule, preferredChannelName, preferredWSBChannelName, sessionChannelName;
};
/// The options in effect and where the connection stands; `text` is what toString() gave out last.
struct PreferredHostInfoImpl : PreferredHostOptionsImpl {
    refinitiv::ema::access::UInt32 remainingDetectionTime = 0;
    bool isChannelPreferred = false;
    EmaString text;
};

}  // namespace emissary::ema

namespace refinitiv::ema::access {

PreferredHostOptions::PreferredHostOptions() = default;
PreferredHostOptions::PreferredHostOptions(const PreferredHostOptions& other) = default;
PreferredHostOptions& PreferredHostOptions::operator=(const PreferredHostOptions& other) = default;
PreferredHostOptions::~PreferredHostOptions() = default;
PreferredHostOptions& PreferredHostOptions::clear() {
    impl_.clear();
    return *this;
}
PreferredHostOptions& PreferredHostOptions::enablePreferredHostOptions(bool enablePreferredHostOptions) {
    impl_->enablePreferredHostOptions = enablePreferredHostOptions;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::phDetectionTimeSchedule(const EmaString& phDetectionTimeSchedule) {
    impl_->phDetectionTimeSchedule = phDetectionTimeSchedule;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::phDetectionTimeInterval(UInt32 phDetectionTimeInterval) {
    impl_->phDetectionTimeInterval = phDetectionTimeInterval;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::preferredChannelName(const EmaString& preferredChannelName) {
    impl_->preferredChannelName = preferredChannelName;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::preferredWSBChannelName(const EmaString& preferredWSBChannelName) {
    impl_->preferredWSBChannelName = preferredWSBChannelName;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::phFallBackWithInWSBGroup(bool phFallBackWithInWSBGroup) {
    impl_->phFallBackWithInWSBGroup = phFallBackWithInWSBGroup;
    return *this;
}
PreferredHostOptions& PreferredHostOptions::sessionChannelName(const EmaString& sessionChannelName) {
    impl_->sessionChannelName = sessionChannelName;
    return *this;
}
bool PreferredHostOptions::getEnablePreferredHostOptions() const {
    return impl_->enablePreferredHostOptions;
}
const EmaString& PreferredHostOptions::getPHDetectionTimeSchedule() const {
    return impl_->phDetectionTimeSchedule;
}
UInt32 PreferredHostOptions::getPHDetectionTimeInterval() const {
    return impl_->phDetectionTimeInterval;
}
const EmaString& PreferredHostOptions::getPreferredChannelName() const {
    return impl_->preferredChannelName;
}
const EmaString& PreferredHostOptions::getPreferredWSBChannelName() const {
    return impl_->preferredWSBChannelName;
}
bool PreferredHostOptions::getPHFallBackWithInWSBGroup() const {
    return impl_->phFallBackWithInWSBGroup;
}
const EmaString& PreferredHostOptions::getSessionChannelName() const {
    return impl_->sessionChannelName;
}

PreferredHostInfo::PreferredHostInfo() = default;
PreferredHostInfo::PreferredHostInfo(const PreferredHostInfo& other) = default;
PreferredHostInfo& PreferredHostInfo::operator=(const PreferredHostInfo& other) = default;
PreferredHostInfo::~PreferredHostInfo() = default;
PreferredHostInfo& PreferredHostInfo::clear() {
    impl_.clear();
    return *this;
}
PreferredHostInfo& PreferredHostInfo::enablePreferredHostOptions(bool enablePreferredHostOptions) {
    impl_->enablePreferredHostOptions = enablePreferredHostOptions;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::phDetectionTimeSchedule(EmaString phDetectionTimeSchedule) {
    impl_->phDetectionTimeSchedule = phDetectionTimeSchedule;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::phDetectionTimeInterval(UInt32 phDetectionTimeInterval) {
    impl_->phDetectionTimeInterval = phDetectionTimeInterval;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::preferredChannelName(const EmaString& preferredChannelName) {
    impl_->preferredChannelName = preferredChannelName;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::preferredWSBChannelName(const EmaString& preferredWSBChannelName) {
    impl_->preferredWSBChannelName = preferredWSBChannelName;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::phFallBackWithInWSBGroup(bool phFallBackWithInWSBGroup) {
    impl_->phFallBackWithInWSBGroup = phFallBackWithInWSBGroup;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::remainingDetectionTime(UInt32 remainingDetectionTime) {
    impl_->remainingDetectionTime = remainingDetectionTime;
    return *this;
}
PreferredHostInfo& PreferredHostInfo::isChannelPreferred(bool isChannelPreferred) {
    impl_->isChannelPreferred = isChannelPreferred;
    return *this;
}
bool PreferredHostInfo::getEnablePreferredHostOptions() const {
    return impl_->enablePreferredHostOptions;
}
const EmaString& PreferredHostInfo::getPHDetectionTimeSchedule() const {
    return impl_->phDetectionTimeSchedule;
}
UInt32 PreferredHostInfo::getPHDetectionTimeInterval() const {
    return impl_->phDetectionTimeInterval;
}
const EmaString& PreferredHostInfo::getPreferredChannelName() const {
    return impl_->preferredChannelName;
}
const EmaString& PreferredHostInfo::getPreferredWSBChannelName() const {
    return impl_->preferredWSBChannelName;
}
bool PreferredHostInfo::getPHFallBackWithInWSBGroup() const {
    return impl_->phFallBackWithInWSBGroup;
}
UInt32 PreferredHostInfo::getRemainingDetectionTime() const {
    return impl_->remainingDetectionTime;
}
bool PreferredHostInfo::getIsChannelPreferred() const {
    return impl_->isChannelPreferred;
}

// The wording is the documented one (ema-api.md section 9); the text lives until the next call.
const EmaString& PreferredHostInfo::toString() const {
    const emissary::ema::PreferredHostInfoImpl& i = *impl_;
    EmaString& out = impl_->text.clear();
    const auto line = [&out](const char* key) -> EmaString& {
        if (!out.empty()) out.append("\n\t");
        return out.append(key).append(": ");
    };
    line("ph preferred host option").append(i.enablePreferredHostOptions ? "enabled" : "disabled");
    line("ph detection time schedule").append(i.phDetectionTimeSchedule);
    line("ph detection time interval").append(i.phDetectionTimeInterval);
    line("ph channel name").append(i.preferredChannelName);
    line("ph fall back with in WSB group").append(i.phFallBackWithInWSBGroup ? "enabled" : "disabled");
    line("ph is channel preferred").append(i.isChannelPreferred ? "preferred" : "non-preferred");
    return out;
}

}  // namespace refinitiv::ema::access
