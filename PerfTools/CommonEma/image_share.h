// PerfTools/CommonEma: shares the output of a provider's connection between images and updates.
#pragma once
#include "Ema.h"
#include "ImageShare.h"
#include "emissary/output.h"

#include <cstdint>

namespace emissary::perf {

/// Bytes that the connection has been given; 0: it is gone.
[[nodiscard]] inline std::uint64_t outputOf(const refinitiv::ema::access::OmmProvider& provider, std::uint64_t client) {
    return outputAccepted(provider, client).value_or(0);
}

/// Whether more may be sent to the connection without an update being late behind it.
[[nodiscard]] inline bool hasRoom(const refinitiv::ema::access::OmmProvider& provider, std::uint64_t client) {
    return outputQueued(provider, client).value_or(0) < ImageShare::kRoomBytes;
}

/// The connection has no room for the images that wait for it, if some do, and these have not had their share, in
/// percent of its bytes: its updates give way.
[[nodiscard]] inline bool updatesGiveWay(const refinitiv::ema::access::OmmProvider& provider, std::uint64_t client,
                                         bool imagesWait, ImageShare& share, std::uint32_t percent) {
    if (!imagesWait) {
        share.end();
        return false;
    }
    const std::uint64_t sent = outputOf(provider, client);
    if (!share.counting()) share.begin(sent);
    return !hasRoom(provider, client) && share.owed(sent, percent);
}

/// Calls `send`, and returns the bytes that the connection was given meanwhile if they are to be counted.
template <class Send>
[[nodiscard]] std::uint64_t bytesOf(const refinitiv::ema::access::OmmProvider& provider, std::uint64_t client,
                                    bool counting, Send&& send) {
    const std::uint64_t before = counting ? outputOf(provider, client) : 0;
    send();
    const std::uint64_t after = counting ? outputOf(provider, client) : 0;
    return after > before ? after - before : 0;
}

}  // namespace emissary::perf
