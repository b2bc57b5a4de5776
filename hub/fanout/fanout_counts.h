// The counts of the fan-out.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::fanout {

/// Counted by the fan-out of each thread and by the relay: one count, declared once.
using Unsent =
    eta::Total<"emissary_hub_unsent_total", "messages",
               "Messages that could not be encoded, filtered or converted for a client, or had no connection left.">;

/// Counted by the fan-out of each thread and by the relay.
using Rendered = eta::Total<"emissary_hub_texts_total", "messages",
                            "Messages of items made JSON; one for all clients that get the same text, on all threads.">;

/// Written on the reactor's thread.
struct Counts {
    eta::Total<"emissary_hub_messages_out_total", "messages", "Messages of items handed to connections of clients.">
        messages;
    eta::Total<"emissary_hub_bytes_out_total", "bytes", "Their bytes, without frames."> bytes;
    eta::Total<"emissary_hub_dropped_discardable_total", "messages",
               "Updates that their sender calls discardable, dropped for clients that are behind.">
        discarded;
    Unsent unsent;
    Rendered rendered;
    eta::Total<"emissary_hub_filtered_total", "payloads",
               "Payloads cut down to a view; one for all mounts with the same view.">
        filtered;
    eta::Total<"emissary_hub_slow_disconnects_total", "clients", "Clients cut off since they do not read."> cutOff;
    eta::Total<"emissary_hub_unread_total", "times",
               "Times that a client was not read from for a while, since it had much to read itself.">
        unread;
    eta::Total<"emissary_hub_joined_updates_total", "messages",
               "Updates joined with one that waited for the same client and stream, since the client is behind or over "
               "its limit.">
        joined;
    eta::Level<"emissary_hub_joining_clients", "clients", "Clients that are behind and whose updates are joined.">
        joining;
    eta::Level<"emissary_hub_joined_bytes", "bytes", "Memory for updates that wait for these clients."> joinedBytes;
    eta::Total<"emissary_hub_conflated_updates_total", "messages",
               "Updates joined with one that waited for the interval of its item; one for all clients of a rule.">
        conflated;
    eta::Total<"emissary_hub_unconflated_updates_total", "messages",
               "Updates that went before their interval was over, since ConflationBytes were used.">
        unconflated;
    eta::Level<"emissary_hub_conflating_items", "items", "Items of which an update waits for its interval."> conflating;
    eta::Level<"emissary_hub_conflated_bytes", "bytes", "Memory for these updates."> conflatedBytes;
    eta::Level<"emissary_hub_over_limit_clients", "clients",
               "Logins that have used up MaxUpdateRate or MaxByteRate, and whose updates wait for it.">
        overLimit;
    eta::Total<"emissary_hub_over_limit_total", "times",
               "Times that a login used up what MaxUpdateRate or MaxByteRate give it.">
        limited;
    eta::Level<"emissary_hub_slow_clients", "clients", "Clients that are behind with their output."> slow;
    eta::Peak<"emissary_hub_turn_deliveries", "messages", "Most deliveries gathered before they were written.">
        gathered;
    eta::Histogram<
        "emissary_hub_forward_seconds",
        "From the turn that read an update to its hand-over to the connections of its clients; the longest of "
        "each turn.">
        forward;
};

/// Label: listener.
struct ListenerCounts {
    eta::Total<"emissary_hub_updates_out_total", "messages", "Updates handed to connections of clients."> updates;
};

}  // namespace emissary::hub::fanout
