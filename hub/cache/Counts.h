// The counts of a store of images.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::cache {

/// Written on the store's thread.
struct Counts {
    eta::Level<"emissary_hub_images", "items", "Items whose payload is cached."> images;
    eta::Level<"emissary_hub_image_bytes", "bytes", "Memory in use for cached payloads."> bytes;
    eta::Level<"emissary_hub_image_memory_bytes", "bytes", "Memory taken from the system for cached payloads."> memory;
    eta::Level<"emissary_hub_image_shapes", "shapes", "Different sets of fields that cached field lists have."> shapes;
    eta::Total<"emissary_hub_cache_update_without_add_total", "entries",
               "Updates of entries that the image did not have; they were made.">
        updateWithoutAdd;
    eta::Total<"emissary_hub_cache_unknown_actions_total", "entries", "Entries ignored for an action without meaning.">
        unknownActions;
    eta::Total<"emissary_hub_cache_unknown_fields_total", "fields",
               "Fields of updates that no refresh had brought, added or left out.">
        unknownFields;
    eta::Total<"emissary_hub_cache_malformed_total", "messages", "Payloads that could not be decoded."> malformed;
    eta::Total<"emissary_hub_cache_not_current_total", "messages",
               "Messages after which an image that told the truth no longer does.">
        notCurrent;
    eta::Total<"emissary_hub_cache_full_total", "messages", "Messages not applied since memory or a limit ran out.">
        full;
};

}  // namespace emissary::hub::cache
