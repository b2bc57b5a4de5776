// The counts of the item flow.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::flow {

/// Written by the stage thread only.
struct Counts {
    eta::Level<"emissary_hub_mounts", "streams", "Streams of clients on items."> mounts;
    eta::Total<"emissary_hub_cache_hits_total", "requests", "Requests answered from the cache."> cacheHits;
    eta::Total<"emissary_hub_cache_misses_total", "requests", "Requests that had to wait for a source."> cacheMisses;
    eta::Total<"emissary_hub_refreshes_in_total", "messages", "Refreshes of items from sources."> refreshes;
    eta::Total<"emissary_hub_updates_ignored_total", "messages", "Updates that came before a refresh."> early;
    eta::Total<"emissary_hub_payloads_malformed_total", "messages", "Messages whose payload could not be applied.">
        malformed;
    eta::Total<"emissary_hub_images_refused_total", "images", "Images given up since the service has MaxBytes.">
        imagesRefused;
    eta::Total<"emissary_hub_gaps_total", "items", "Jumps in sequence numbers (SeqNumGaps)."> gaps;
    eta::Total<"emissary_hub_parts_missing_total", "refreshes", "Refreshes in parts that lacked one; not shown.">
        partsMissing;
    eta::Total<"emissary_hub_item_limit_total", "requests", "Requests refused since the service has MaxItems."> limit;
    eta::Level<"emissary_hub_suspect_items", "items", "Watched items whose data are suspect."> suspect;
};

}  // namespace emissary::hub::flow
