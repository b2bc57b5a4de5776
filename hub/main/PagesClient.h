// hub/main: one request to the pages of a running hub, in clear text or TLS.
#pragma once

#include "hub/config/HubSettings.h"

#include <string>

namespace emissary::hub {

/// A POST.
struct PagesRequest {
    std::string path;     ///< with the query
    std::string headers;  ///< lines that end in CR LF
    std::string body;
    std::string token;  ///< empty: none
};

struct PagesAnswer {
    unsigned status = 0;
    std::string body;
    std::string fault;  ///< not empty: there is no answer, and why
};

/// Asks the hub whose pages are where the settings say. In TLS the hub has to show the certificate that HttpCertificate
/// names: whoever can read its configuration knows it. Waits 30 s at most.
[[nodiscard]] PagesAnswer askPages(const HubSettings& settings, const PagesRequest& request);

}  // namespace emissary::hub
