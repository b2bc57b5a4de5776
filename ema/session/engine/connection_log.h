// Log records about connections; the same for consumers and non-interactive providers.
#pragma once

#include "logging/Logger.h"
#include "reactor/session/session_types.h"

#include <string_view>

namespace emissary::ema {

struct ConnectionLog {
    LogSeverity severity = LogSeverity::success;
    std::string_view component = "ChannelCallbackClient";
};

[[nodiscard]] inline ConnectionLog connectionLog(reactor::session::ConnectionEvent event) noexcept {
    using Event = reactor::session::ConnectionEvent;
    switch (event) {
    case Event::connecting:
    case Event::ready:
        return {.severity = LogSeverity::verbose};
    case Event::connectFailed:
    case Event::down:
    case Event::switched:
        return {.severity = LogSeverity::warning};
    case Event::closed:
        return {.severity = LogSeverity::error};
    case Event::loginRefused:
        return {.severity = LogSeverity::error, .component = "LoginCallbackClient"};
    case Event::loggedIn:
        return {.component = "LoginCallbackClient"};
    case Event::up:
        break;
    }
    return {};
}

}  // namespace emissary::ema
