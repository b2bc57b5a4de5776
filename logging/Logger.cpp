// Records of one instance: time, names, limits (ema-config.md section 10). Destinations take them from here.
#include "logging/Logger.h"

#include "Destination.h"
#include "PeerLimits.h"
#include "eta/core/Clock.h"
#include "eta/core/printable.h"

#include <utility>

namespace emissary::logging {

namespace {

/// Adds time and instance name to the records of one instance.
class InstanceLogger final : public Logger {
public:
    InstanceLogger(std::shared_ptr<Destination> destination, const LoggerSettings& s, const std::string& instance)
        : destination_(std::move(destination)),
          instance_(eta::printable(instance)), form_{s.format, s.includeDate, s.instanceInLine},
          limits_(s.peerRecordsPerMinute, s.clock) {
        threshold_ = s.severity;
    }
    ~InstanceLogger() override { tell(PeerLimits::Which::all); }

    bool hasLeftOut() const noexcept override { return limits_.any(); }
    void tellLeftOut() noexcept override { tell(PeerLimits::Which::due); }

private:
    void write(std::string_view component, LogSeverity severity, std::string_view text) noexcept override {
        if (limits_.any()) [[unlikely]]
            tell(PeerLimits::Which::due);
        hand(component, severity, text);
    }

    bool admit(std::string_view component, LogSeverity severity) noexcept override {
        try {
            return limits_.admit(component, severity);
        } catch (...) { return false; }  // out of memory
    }

    void tell(PeerLimits::Which which) noexcept {
        if (!limits_.any()) return;
        try {
            for (const PeerLimits::LeftOut& left : limits_.take(which))
                hand(left.component, left.severity,
                     std::to_string(left.records) + " records were left out within " +
                         std::to_string(left.during.count()) +
                         " s: peers cause more than MaxPeerRecordsPerMinute lets through");
        } catch (...) {
            // Out of memory while logging: the record is lost, the program goes on.
        }
    }

    void hand(std::string_view component, LogSeverity severity, std::string_view text) noexcept {
        try {
            const std::string shownComponent = eta::printable(component);
            std::string shownText = eta::printable(text, eta::LineBreaks::kept);
            std::erase(shownText, '\r');  // remaining ones stand in front of line feeds
            destination_->write({eta::WallClock::now(), severity, instance_, shownComponent, shownText}, form_);
        } catch (...) {
            // Out of memory while logging: the record is lost, the program goes on.
        }
    }

    std::shared_ptr<Destination> destination_;
    std::string instance_;
    RecordForm form_;
    PeerLimits limits_;
};

}  // namespace

std::shared_ptr<Logger> Logger::open(const LoggerSettings& settings, const std::string& instanceName,
                                     std::string& fileName, eta::Refused& refused) {
    std::string news;
    auto destination = openDestination(settings, fileName, news, refused);
    if (!destination) return nullptr;
    auto logger = std::make_shared<InstanceLogger>(std::move(destination), settings, instanceName);
    if (!news.empty()) logger->log("Logger", LogSeverity::warning, news);
    return logger;
}

}  // namespace emissary::logging
