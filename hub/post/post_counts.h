// The counts of the post room.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::post {

/// Posts by their result; one group for each service and result, with these labels.
struct ResultCounts {
    eta::Total<"emissary_hub_posts_total", "messages", "Posts of clients, by what came of them."> posts;
};

/// Written by the stage thread only.
struct Counts {
    eta::Total<"emissary_hub_posts_forwarded_total", "messages", "Posts sent on to the source of their item.">
        forwarded;
    eta::Total<"emissary_hub_posts_refused_silently_total", "messages",
               "Posts that were not taken and had not asked for an answer.">
        silent;
    eta::Level<"emissary_hub_posts_outstanding", "messages", "Posts that wait for the answer of their source.">
        outstanding;
    eta::Level<"emissary_hub_posts_open", "messages", "Posts in several parts of which the last has not come."> open;
    eta::Level<"emissary_hub_posted_items", "items", "Items that only posts have made."> postedItems;
    eta::Level<"emissary_hub_posted_bytes", "bytes", "What they take, about: see MaxPostBytes."> postedBytes;
    eta::Total<"emissary_hub_post_acks_unmatched_total", "messages", "Answers of sources that no post waits for.">
        unmatched;
    eta::Total<"emissary_hub_post_acks_late_total", "messages", "Answers whose client or stream had gone."> orphaned;
    eta::Histogram<"emissary_hub_post_ack_seconds", "From a post of a client to the answer of its source."> ackTime;
    eta::Total<"emissary_hub_generics_forwarded_total", "messages", "Generic messages of clients sent on to sources.">
        generics;
    eta::Total<"emissary_hub_generics_dropped_total", "messages", "Generic messages of clients that nobody is to have.">
        genericsDropped;
};

}  // namespace emissary::hub::post
