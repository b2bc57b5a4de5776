// The counts of the record of use.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::usage {

/// Written by the stage thread only.
struct Counts {
    eta::Level<"emissary_hub_usage_rows", "rows", "Users, services and product codes with use today."> rows;
    eta::Level<"emissary_hub_usage_streams", "streams", "Open streams whose use is counted."> streams;
    eta::Total<"emissary_hub_usage_others_total", "streams",
               "Streams whose use went into the row of the others, since there are UsageRows already.">
        others;
    eta::Total<"emissary_hub_usage_uncounted_total", "streams", "Streams whose use is not counted for want of memory.">
        uncounted;
};

/// Written by the writer's thread only.
struct WriterCounts {
    eta::Total<"emissary_hub_usage_writes_total", "files", "Times that a file of use was written."> writes;
    eta::Total<"emissary_hub_usage_failures_total", "times", "Times that a file of use could not be written."> failures;
    eta::Level<"emissary_hub_usage_failing", "", "1 while files of use cannot be written."> failing;
};

}  // namespace emissary::hub::usage
