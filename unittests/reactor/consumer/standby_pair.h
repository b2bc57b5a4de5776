// Two servers side by side, and the consumer that has one as the active one and the other as its standby.
#pragma once

#include "fixture.h"

namespace emissary::test {

/// "active", "standby" from the generic message that says so; empty for other messages.
inline std::string modeOf(const codec::Msg& m) {
    if (m.cls != codec::MsgClass::Generic || eta::asText(m.key.name) != "ConsumerConnectionStatus") return {};
    codec::MapDecoder map;
    codec::MapEntry entry;
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    std::uint64_t mode = 7;
    if (!map.start(m.payload).ok() || !map.next(entry) || eta::asText(entry.key) != "WarmStandbyInfo" ||
        !list.start(entry.data).ok() || !list.next(e) || eta::asText(e.name) != "WarmStandbyMode" ||
        codec::decodeUInt(e.data, mode) != codec::Decoded::value)
        return "?";
    return mode == 0 ? "active" : mode == 1 ? "standby" : "?";
}

/// Takes the mode message that a server got; empty when none has come.
inline std::string takeMode(RawProvider& p) {
    for (auto it = p.inbox.begin(); it != p.inbox.end(); ++it) {
        const std::string mode = modeOf(it->msg);
        if (mode.empty()) continue;
        p.inbox.erase(it);
        return mode;
    }
    return {};
}

struct StandbyPair : Consumer {
    RawProvider second;
    StandbyPair() {
        provider.standbyModes = second.standbyModes = 3;
        others.push_back(&second);
        options.channels[0].standbyGroup = 1;
        options.channels.push_back({{"Channel_2", connectOptions(second.port())}, 1, {}, false});
    }
    void bothReady() {
        ready();
        until([&] { return takeMode(provider) == "active"; });
        until([&] { return takeMode(second) == "standby"; });
        until([&] { return !second.wire.empty() && second.wire.back() == "REQ 2 d4 0x4"; });
        (void)open("login", request("user", 1), {});
        expectEvent("login RFSH Open/Ok/0");
        settle();
        settle();
        takeEvents();
        second.wire.clear();
    }
    /// The standby has a request with this name; its stream id.
    std::int32_t onSecond(std::string_view name) {
        std::int32_t id = 0;
        until([&] {
            for (auto it = second.inbox.begin(); it != second.inbox.end(); ++it) {
                if (it->msg.cls != codec::MsgClass::Request || it->name() != name) continue;
                id = it->msg.streamId;
                second.inbox.erase(it);
                return true;
            }
            return false;
        });
        return id;
    }
    void killFirst() {
        provider.die();
        until([&] { return role->channel().name == "Channel_2"; });
    }
};

}  // namespace emissary::test
