// The state of the connection to one source, for the log and the pages.
#pragma once

#include "hub/core/RepeatedReason.h"
#include "hub/core/Source.h"
#include "hub/core/log.h"
#include "reactor/session/session_types.h"

#include <string>

namespace emissary::hub::upstream {

/// Logs the connection's events and keeps the values that the pages show. Stage thread only.
class SourceHealth {
public:
    SourceHealth(reactor::Reactor& reactor, std::string sourceName, LogLine log)
        : reactor_(reactor), subject_("source '" + std::move(sourceName) + "': "),
          log_(std::move(log)), now_{"not connected yet", reactor.now(), 0} {}

    void connection(reactor::session::ConnectionEvent event, const std::string& text);
    void warning(const std::string& text);
    [[nodiscard]] const Source::Health& now() const noexcept { return now_; }

private:
    void write(Severity severity, const std::string& text) const {
        if (log_ && !text.empty()) log_(severity, subject_ + text);
    }

    reactor::Reactor& reactor_;
    const std::string subject_;
    const LogLine log_;
    RepeatedReason faults_, warnings_;
    Source::Health now_;
    bool lost_ = false;  // a fault was logged since the last login
};

}  // namespace emissary::hub::upstream
