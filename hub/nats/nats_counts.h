// The counts of the bus over NATS.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::nats {

/// Each is written by one thread; any thread reads.
struct NatsCounts {
    // The node's thread.
    eta::Total<"emissary_hub_nats_out_lost_total", "frames",
               "Frames that were not sent since as many bytes waited as may.">
        outLost;
    eta::Total<"emissary_hub_nats_in_lost_total", "frames",
               "Frames received and dropped since the hub's thread was behind by as many as may wait.">
        inLost;
    eta::Peak<"emissary_hub_nats_out_waiting_peak", "bytes", "Of frames that waited to be sent."> outPeak;
    eta::Peak<"emissary_hub_nats_in_waiting_peak", "bytes", "Of frames that waited for the hub's thread."> inPeak;
    // The sending thread.
    eta::Total<"emissary_hub_nats_connects_total", "connections", "Connections to servers that came up."> connects;
    eta::Total<"emissary_hub_nats_connect_failures_total", "attempts", "Attempts to connect that failed.">
        connectFailures;
    eta::Total<"emissary_hub_nats_disconnects_total", "connections", "Connections to servers that were lost.">
        disconnects;
    eta::Total<"emissary_hub_nats_sent_total", "frames", "Frames given to a server's connection."> sent;
    eta::Total<"emissary_hub_nats_unsent_total", "frames",
               "Frames dropped since there was no connection, or it failed while they were sent.">
        unsent;
    eta::Total<"emissary_hub_nats_too_long_total", "frames", "Frames longer than the server's max_payload."> tooLong;
    eta::Level<"emissary_hub_nats_connected", "", "1 while there is a connection to a server."> connected;
    // A thread of libnats.
    eta::Total<"emissary_hub_nats_errors_total", "errors",
               "Errors that servers or libnats reported while a connection was up, a slow consumer among them.">
        errors;
};

}  // namespace emissary::hub::nats
