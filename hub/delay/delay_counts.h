// hub/delay: the counts of delayed services.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::delay {

/// Of what waits for its time; label `service`. Written by the stage thread only.
struct LineCounts {
    eta::Level<"emissary_hub_delay_records", "records", "Messages and states that wait until their time has come.">
        records;
    eta::Level<"emissary_hub_delay_memory_bytes", "bytes", "Memory that they take (DelayMemoryBytes)."> memoryBytes;
    eta::Level<"emissary_hub_delay_file_bytes", "bytes", "Of the file that they take (DelayFileBytes)."> fileBytes;
    eta::Total<"emissary_hub_delay_file_writes_total", "blocks", "Blocks of 64 KiB written to the file."> writes;
    eta::Total<"emissary_hub_delay_file_failures_total", "blocks",
               "Blocks that the file did not take, which stay in memory, or did not give back.">
        failures;
};

/// Of the streams; label `service`. Written by the stage thread only.
struct DelayCounts {
    eta::Level<"emissary_hub_delay_streams", "streams", "Items of the original that a delayed service has open.">
        streams;
    eta::Total<"emissary_hub_delay_messages_total", "messages", "Messages of the original that were taken in.">
        messages;
    eta::Total<"emissary_hub_delay_gaps_total", "items",
               "Times that an item was asked for again since there was no room for its message (DelayMemoryBytes, "
               "DelayFileBytes).">
        gaps;
    eta::Total<"emissary_hub_delay_left_out_total", "messages",
               "Messages that found no room; their items are Suspect when they would have been shown.">
        leftOut;
};

}  // namespace emissary::hub::delay
