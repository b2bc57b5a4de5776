// The counts that the pages add to those of the rooms: levels that are looked up for each request.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::ops {

struct HubLevels {
    eta::Level<"emissary_hub_draining", "", "1 while the hub lets its clients go."> draining;
};

/// Label: outcome, "applied", "unchanged" or "refused".
struct ReloadCounts {
    eta::Total<"emissary_hub_reloads_total", "", "Times that a running hub read its configuration again, by outcome.">
        reloads;
};

/// Labels: call, its name; result, "done" or "not_done". Written by the hub's thread.
struct CallCounts {
    eta::Total<"emissary_hub_ops_calls_total", "calls", "Calls of operators that had the role for them."> calls;
};

/// Who asked for pages and calls without being allowed to. Written by the pages' thread.
struct GateCounts {
    eta::Total<"emissary_hub_ops_token_missing_total", "requests",
               "Requests for pages and calls that came without a token and needed one.">
        missing;
    eta::Total<"emissary_hub_ops_token_wrong_total", "requests", "Requests with a token that HttpTokens does not have.">
        wrong;
    eta::Total<"emissary_hub_ops_token_blocked_total", "requests",
               "Requests that were not looked at, because ten wrong tokens had come from their address in a minute.">
        blocked;
    eta::Total<"emissary_hub_ops_role_refused_total", "requests", "Requests whose token had too small a role."> role;
    eta::Total<"emissary_hub_ops_closed_total", "requests",
               "Calls that were refused because HttpTokens names no file and the pages are not on the loopback alone.">
        closed;
    eta::Total<"emissary_hub_ops_calls_refused_total", "requests",
               "Requests that were refused for want of a token, a role, a header or an origin.">
        refused;
    eta::Total<"emissary_hub_ops_unnoted_total", "requests",
               "Refused requests that are not in the audit log, because there were more than twenty in a second.">
        unnoted;
};

/// Pushes of counts to a collector. Written by the thread that pushes.
struct OtlpCounts {
    eta::Total<"emissary_hub_otlp_pushes_total", "pushes", "Times that the counts got to the collector of OtlpUrl.">
        pushes;
    eta::Total<"emissary_hub_otlp_failures_total", "pushes", "Times that they did not."> failures;
};

/// Label: source.
struct SourceLevels {
    eta::Level<"emissary_hub_source_up", "", "1 when the source is logged in and its directory has come."> up;
};

/// Label: service.
struct ServiceLevels {
    eta::Level<"emissary_hub_service_up", "", "1 when clients may ask for items of the service."> up;
    eta::Level<"emissary_hub_service_images", "items", "Items of the service whose payload is cached."> images;
    eta::Level<"emissary_hub_service_image_bytes", "bytes", "Memory in use for them."> imageBytes;
};

}  // namespace emissary::hub::ops
