// Inflates and deflates whole messages with zlib, and appends and strips the sync marker.
#include "transport/websocket/permessage_deflate.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::eta::transport::ws {
namespace {

constexpr std::byte kMarker[4] = {std::byte{0}, std::byte{0}, std::byte{0xFF}, std::byte{0xFF}};
constexpr int kRawWindow = -15;

Bytef* input(Bytes b) noexcept {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(b.data()));
}

}  // namespace

struct Inflating {
    Inflating() noexcept { live = ::inflateInit2(&z, kRawWindow) == Z_OK; }
    ~Inflating() {
        if (live) ::inflateEnd(&z);
    }
    Inflating(const Inflating&) = delete;
    Inflating& operator=(const Inflating&) = delete;
    z_stream z{};
    bool live = false;
};
struct Deflating {
    explicit Deflating(int l) noexcept : level(l) {
        live = ::deflateInit2(&z, level, Z_DEFLATED, kRawWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK;
    }
    ~Deflating() {
        if (live) ::deflateEnd(&z);
    }
    Deflating(const Deflating&) = delete;
    Deflating& operator=(const Deflating&) = delete;
    z_stream z{};
    const int level;
    bool live = false;
};

namespace {

thread_local std::unique_ptr<Inflating> spareInflating;
thread_local std::unique_ptr<Deflating> spareDeflating;

[[nodiscard]] std::unique_ptr<Inflating, GiveBack> takeInflating() noexcept {
    std::unique_ptr<Inflating, GiveBack> state(spareInflating != nullptr ? spareInflating.release()
                                                                         : new (std::nothrow) Inflating);
    if (state != nullptr && (!state->live || ::inflateReset(&state->z) != Z_OK)) delete state.release();
    return state;
}

[[nodiscard]] std::unique_ptr<Deflating, GiveBack> takeDeflating(int level) noexcept {
    if (spareDeflating != nullptr && spareDeflating->level != level) spareDeflating.reset();
    std::unique_ptr<Deflating, GiveBack> state(spareDeflating != nullptr ? spareDeflating.release()
                                                                         : new (std::nothrow) Deflating(level));
    if (state != nullptr && (!state->live || ::deflateReset(&state->z) != Z_OK)) delete state.release();
    return state;
}

}  // namespace

void GiveBack::operator()(Inflating* state) const noexcept {
    spareInflating.reset(state);
}
void GiveBack::operator()(Deflating* state) const noexcept {
    spareDeflating.reset(state);
}

// Nothing for the thread: it may be about to end.
MessageInflater::~MessageInflater() {
    delete state_.release();
}
MessageDeflater::~MessageDeflater() {
    delete state_.release();
}

bool MessageInflater::start(bool forget) noexcept {
    forget_ = forget;
    if (!forget) state_ = takeInflating();
    return forget || state_ != nullptr;
}

MessageInflater::Outcome MessageInflater::inflate(Bytes message, std::size_t limit, Staging& out) noexcept {
    if (forget_) state_ = takeInflating();
    if (state_ == nullptr) return Outcome::outOfMemory;
    const Outcome outcome = inflateWith(state_->z, message, limit, out);
    if (forget_) state_.reset();
    return outcome;
}

MessageInflater::Outcome MessageInflater::inflateWith(z_stream& z, Bytes message, std::size_t limit,
                                                      Staging& out) noexcept {
    out.clear();
    for (const Bytes part : {message, Bytes(kMarker)}) {
        z.next_in = input(part);
        z.avail_in = static_cast<uInt>(part.size());
        bool full = true;  // may hold more output
        while (z.avail_in != 0 || full) {
            // One byte beyond the limit tells "just fits" from "more to come".
            const std::size_t room =
                std::min<std::size_t>(limit + 1 - out.size(), std::max<std::size_t>(4096, 2 * part.size()));
            if (room == 0) return Outcome::tooBig;
            std::byte* const to = out.room(room);
            if (to == nullptr) return Outcome::outOfMemory;
            z.next_out = reinterpret_cast<Bytef*>(to);
            z.avail_out = static_cast<uInt>(room);
            const uInt before = z.avail_in;
            const int rc = ::inflate(&z, Z_SYNC_FLUSH);
            const std::size_t produced = room - z.avail_out;
            out.added(produced);
            full = z.avail_out == 0;
            if (rc == Z_STREAM_END) {  // a final block ends the history; the next message begins anew
                if (::inflateReset(&z) != Z_OK) return Outcome::damaged;
                return z.avail_in == 0 && out.size() <= limit ? Outcome::ok : Outcome::damaged;
            }
            if (rc != Z_OK && rc != Z_BUF_ERROR) return Outcome::damaged;
            if (produced == 0 && z.avail_in == before && z.avail_in != 0) return Outcome::damaged;
        }
    }
    return out.size() <= limit ? Outcome::ok : Outcome::tooBig;
}

bool MessageDeflater::start(int level, bool forget) noexcept {
    forget_ = forget;
    level_ = std::clamp(level, 0, 9);
    if (!forget) state_ = takeDeflating(level_);
    return forget || state_ != nullptr;
}

bool MessageDeflater::deflate(Bytes part, bool last, Staging& out) noexcept {
    if (state_ == nullptr && (!forget_ || (state_ = takeDeflating(level_)) == nullptr)) return false;
    z_stream& z = state_->z;
    z.next_in = input(part);
    z.avail_in = static_cast<uInt>(part.size());
    const int flush = last ? Z_SYNC_FLUSH : Z_NO_FLUSH;
    do {
        const std::size_t room = part.size() + part.size() / 1024 * 5 + 64;
        std::byte* const to = out.room(room);
        if (to == nullptr) return false;
        z.next_out = reinterpret_cast<Bytef*>(to);
        z.avail_out = static_cast<uInt>(room);
        const int rc = ::deflate(&z, flush);
        if (rc != Z_OK && rc != Z_BUF_ERROR) return false;
        out.added(room - z.avail_out);
    } while (z.avail_out == 0);
    if (!last) return true;
    if (forget_) state_.reset();
    // Without any input since the last marker zlib writes none: an empty message is one zero byte (RFC 7692, 7.2.3.6).
    const Bytes all = out.view();
    if (all.size() < sizeof kMarker || !std::equal(std::begin(kMarker), std::end(kMarker), all.end() - sizeof kMarker))
        return out.append(Bytes(kMarker).first(1));
    out.retract(sizeof kMarker);
    return true;
}

}  // namespace emissary::eta::transport::ws
