// Inflates and deflates whole messages with zlib, and appends and strips the sync marker.
#include "transport/websocket/permessage_deflate.h"

#include <algorithm>

namespace emissary::eta::transport::ws {
namespace {

constexpr std::byte kMarker[4] = {std::byte{0}, std::byte{0}, std::byte{0xFF}, std::byte{0xFF}};
constexpr int kRawWindow = -15;

Bytef* input(Bytes b) noexcept {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(b.data()));
}

}  // namespace

MessageInflater::~MessageInflater() {
    if (live_) ::inflateEnd(&z_);
}

bool MessageInflater::start() noexcept {
    return live_ = ::inflateInit2(&z_, kRawWindow) == Z_OK;
}

MessageInflater::Outcome MessageInflater::inflate(Bytes message, std::size_t limit, Staging& out) noexcept {
    out.clear();
    for (const Bytes part : {message, Bytes(kMarker)}) {
        z_.next_in = input(part);
        z_.avail_in = static_cast<uInt>(part.size());
        bool full = true;  // may hold more output
        while (z_.avail_in != 0 || full) {
            // One byte beyond the limit tells "just fits" from "more to come".
            const std::size_t room =
                std::min<std::size_t>(limit + 1 - out.size(), std::max<std::size_t>(4096, 2 * part.size()));
            if (room == 0) return Outcome::tooBig;
            std::byte* const to = out.room(room);
            if (to == nullptr) return Outcome::outOfMemory;
            z_.next_out = reinterpret_cast<Bytef*>(to);
            z_.avail_out = static_cast<uInt>(room);
            const uInt before = z_.avail_in;
            const int rc = ::inflate(&z_, Z_SYNC_FLUSH);
            const std::size_t produced = room - z_.avail_out;
            out.added(produced);
            full = z_.avail_out == 0;
            if (rc == Z_STREAM_END) {  // a final block ends the history; the next message begins anew
                if (::inflateReset(&z_) != Z_OK) return Outcome::damaged;
                return z_.avail_in == 0 && out.size() <= limit ? Outcome::ok : Outcome::damaged;
            }
            if (rc != Z_OK && rc != Z_BUF_ERROR) return Outcome::damaged;
            if (produced == 0 && z_.avail_in == before && z_.avail_in != 0) return Outcome::damaged;
        }
    }
    return out.size() <= limit ? Outcome::ok : Outcome::tooBig;
}

MessageDeflater::~MessageDeflater() {
    if (live_) ::deflateEnd(&z_);
}

bool MessageDeflater::start(int level, bool forget) noexcept {
    forget_ = forget;
    return live_ = ::deflateInit2(&z_, std::clamp(level, 0, 9), Z_DEFLATED, kRawWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

bool MessageDeflater::deflate(Bytes part, bool last, Staging& out) noexcept {
    z_.next_in = input(part);
    z_.avail_in = static_cast<uInt>(part.size());
    const int flush = !last ? Z_NO_FLUSH : forget_ ? Z_FULL_FLUSH : Z_SYNC_FLUSH;
    do {
        const std::size_t room = part.size() + part.size() / 1024 * 5 + 64;
        std::byte* const to = out.room(room);
        if (to == nullptr) return false;
        z_.next_out = reinterpret_cast<Bytef*>(to);
        z_.avail_out = static_cast<uInt>(room);
        const int rc = ::deflate(&z_, flush);
        if (rc != Z_OK && rc != Z_BUF_ERROR) return false;
        out.added(room - z_.avail_out);
    } while (z_.avail_out == 0);
    if (!last) return true;
    // Without any input since the last marker zlib writes none: an empty message is one zero byte (RFC 7692, 7.2.3.6).
    const Bytes all = out.view();
    if (all.size() < sizeof kMarker || !std::equal(std::begin(kMarker), std::end(kMarker), all.end() - sizeof kMarker))
        return out.append(Bytes(kMarker).first(1));
    out.retract(sizeof kMarker);
    return true;
}

}  // namespace emissary::eta::transport::ws
