// eta/transport/websocket: what the request of a reader of events asks for (web-streaming.md section 5).
#pragma once

#include "transport/websocket/http_upgrade.h"

#include <string>
#include <vector>

namespace emissary::eta::transport::ws {

struct EventRequest {
    std::string text;   ///< JSON, as if the client had sent it: its login, and its requests behind it. Secret
    std::string fault;  ///< a sentence for the client, without secrets; the text is empty then
};
/// `cookieNames` as for loginOf(); empty: cookies are not looked at.
[[nodiscard]] EventRequest readEventRequest(const UpgradeRequest& request, const std::vector<std::string>& cookieNames);

/// The head of the answer, behind which the events follow. `origin`: of the page that may read them; empty: no page.
[[nodiscard]] std::string eventAnswer(const std::string& origin, bool withCookies);
/// The answer to a browser that asks whether a page may read events.
[[nodiscard]] std::string preflightAnswer(const std::string& origin, bool withCookies);

}  // namespace emissary::eta::transport::ws
