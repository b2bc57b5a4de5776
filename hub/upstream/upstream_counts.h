// The counts of upstream connections and of the requests on them.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::upstream {

/// Of one connection; label `source`. Written by the stage thread only.
struct UpstreamCounts {
    eta::Total<"emissary_hub_source_messages_total", "messages", "Messages of items from the source."> messages;
    eta::Total<"emissary_hub_source_bytes_total", "bytes", "Bytes of these messages."> bytes;
    eta::Total<"emissary_hub_source_losses_total", "connections", "Times that the source was up and was lost."> losses;
    eta::Total<"emissary_hub_source_stray_total", "messages", "Messages on streams that no item has any more."> stray;
};

/// Of all connections together.
struct SupplyCounts {
    eta::Level<"emissary_hub_upstream_streams", "streams", "Streams of items at upstream sources."> streams;
    eta::Level<"emissary_hub_upstream_outstanding", "requests", "Requests that wait for their refresh."> outstanding;
    eta::Level<"emissary_hub_upstream_queued", "items", "Items that wait for their turn to be requested."> queued;
    eta::Level<"emissary_hub_upstream_parked", "items", "Items that nobody can serve now."> parked;
    eta::Total<"emissary_hub_upstream_requests_total", "requests", "Requests sent to upstream sources."> requests;
    eta::Total<"emissary_hub_recoveries_total", "items",
               "Items that had a refresh again after they had lost their source.">
        recoveries;
    eta::Total<"emissary_hub_upstream_retries_total", "items", "Items asked for again after a source had ended them.">
        retries;
    eta::Total<"emissary_hub_upstream_redirects_total", "items", "Redirections of a source that were followed.">
        redirects;
    eta::Total<"emissary_hub_negative_hits_total", "requests", "Requests answered with a refusal that was remembered.">
        negativeHits;
    eta::Total<"emissary_hub_takeovers_total", "items",
               "Items that went on with their second stream, at another source.">
        takeovers;
    eta::Total<"emissary_hub_pair_uncompared_total", "messages",
               "Updates of second streams in hot mode that were not compared: one of the two sources speaks JSON.">
        uncompared;
};

}  // namespace emissary::hub::upstream
