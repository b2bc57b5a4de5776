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
