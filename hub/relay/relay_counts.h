// The counts of the relay.
#pragma once

#include "eta/core/Count.h"
#include "hub/fanout/fanout_counts.h"

namespace emissary::hub::relay {

/// Written by the stage thread only.
struct StageCounts {
    eta::Total<"emissary_hub_relay_records_total", "records", "Records handed to threads that serve clients."> records;
    eta::Total<"emissary_hub_relay_ring_full_total", "times",
               "Times that a thread that serves clients took too little, so that its clients alone began to lag.">
        ringFull;
    eta::Total<"emissary_hub_relay_left_out_total", "messages",
               "Messages of items left out for a thread that lags, since an image replaces them later.">
        leftOut;
    eta::Total<"emissary_hub_relay_cut_off_total", "clients",
               "Clients disconnected since too much that no image replaces waited for their thread.">
        cutOff;
    eta::Level<"emissary_hub_relay_catching_up", "images", "Images still to be sent to threads that lag."> catchingUp;
    eta::Total<"emissary_hub_relay_messages_in_total", "messages", "Messages of clients taken from their threads.">
        received;
    fanout::Unsent unsent;
    fanout::Rendered rendered;
    eta::Level<"emissary_hub_relay_log_bytes", "bytes", "Memory for messages between threads."> logBytes;
};

/// Label: thread. Written by the front's own thread only.
struct FrontCounts {
    eta::Total<"emissary_hub_front_holds_total", "times",
               "Times that clients were not read since the thread that has the items was behind.">
        holds;
    eta::Level<"emissary_hub_front_mounts", "streams", "Streams on items that a thread serves."> mounts;
    eta::Level<"emissary_hub_front_waiting", "records", "Records that a thread was handed and has not dealt with.">
        waiting;
};

}  // namespace emissary::hub::relay
