// Writes a record when a connection comes, fails or goes.
#include "hub/upstream/SourceHealth.h"

#include <cstdio>

namespace emissary::hub::upstream {

using reactor::session::ConnectionEvent;

void SourceHealth::connection(ConnectionEvent event, const std::string& text) {
    const reactor::TimePoint at = reactor_.now();
    switch (event) {
    case ConnectionEvent::connecting:
        ++now_.attempts;
        return;
    case ConnectionEvent::up:
    case ConnectionEvent::switched:
        return;
    case ConnectionEvent::loggedIn: {
        std::string line = text;
        if (std::exchange(lost_, false)) {
            char after[64];
            std::snprintf(after, sizeof after, " (again after %.1f s, %llu attempt%s)",
                          std::chrono::duration<double>(at - now_.since).count(),
                          static_cast<unsigned long long>(now_.attempts), now_.attempts == 1 ? "" : "s");
            line += after;
        }
        write(Severity::success, line);
        now_ = {"logged in, waits for directory and dictionaries", at, 0};
        faults_.forget();
        return;
    }
    case ConnectionEvent::ready:
        now_.reason.clear();
        return;
    case ConnectionEvent::connectFailed:
    case ConnectionEvent::loginRefused:
    case ConnectionEvent::down:
    case ConnectionEvent::closed:
        break;
    }
    if (event == ConnectionEvent::closed && text.empty()) return;
    if (!lost_) now_.since = at;
    lost_ = true;
    now_.reason = text;
    write(Severity::warning, faults_.next(at, text));
}

void SourceHealth::warning(const std::string& text) {
    write(Severity::warning, warnings_.next(reactor_.now(), text));
}

}  // namespace emissary::hub::upstream
