// One request of the application on an item, and where it stands.
#pragma once

#include "reactor/routing/Router.h"
#include "routing/MergedDirectory.h"
#include "session/RequestTable.h"

#include <string_view>
#include <vector>

namespace emissary::reactor::routing {

using session::Request;
using session::RequestTable;
struct Session;
struct Wanted;

struct Item {
    Request* request = nullptr;  ///< handle, subscriber and stream id towards the application
    Handle inner = 0;            ///< at the session; 0 = parked
    Session* session = nullptr;
    MergedService* service = nullptr;  ///< that serves it
    Wanted* wanted = nullptr;          ///< null: a dictionary served from memory
    Item *prev = nullptr, *next = nullptr;
    std::string_view why;          ///< why it waits, as in the status to the application
    std::vector<std::byte> bytes;  ///< the request as it would be made now, for the next session
    eta::codec::Qos qos;           ///< chosen
    std::uint32_t index = 0;
    std::uint8_t domain = eta::codec::kMarketPriceDomain;
    bool qosFixed = false;   ///< a refresh was complete: recovery must find this QoS
    bool refreshed = false;  ///< the next refresh is unsolicited for the application
    bool isPrivate = false;
    bool paused = false;
};

}  // namespace emissary::reactor::routing
