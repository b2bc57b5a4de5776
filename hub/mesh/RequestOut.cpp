// RequestOut: how long a request may become, and who it is for.
#include "hub/mesh/RequestOut.h"

#include <array>
#include <utility>

namespace emissary::hub::mesh {
namespace {

constexpr std::size_t kRequestBytes = 64 * 1024;
constexpr std::size_t kRequestSlack =
    8 * 1024 - kHeaderBytes;  // a frame has room for at least 72 KiB (nats::Connection)
constexpr std::uint16_t kRequestRecords = 500;

}  // namespace

void RequestOut::add(Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body) {
    // A request goes in one piece.
    if (!batch_.empty() && batch_.bytes() + kRecordBytes + head.size() + body.size() > kRequestBytes + kRequestSlack)
        flush();
    begin();
    static_cast<void>(batch_.add(kind, number, version, head, body));
    if (batch_.records() > kRequestRecords || batch_.bytes() >= kRequestBytes) flush();
}

void RequestOut::askWhoListens() {
    begin();
    asks_ = true;
}

void RequestOut::flush() {
    if (batch_.empty()) return;
    const bool asks = std::exchange(asks_, false);
    sender_->flush(batch_, FrameType::request, kUnicast, *sequence_, to_,
                   asks ? std::string_view(nobodyAt_) : std::string_view{});
}

void RequestOut::begin() {
    if (!batch_.empty()) return;
    std::array<std::byte, 8> epoch;
    eta::storeBe(epoch.data(), epoch_);
    static_cast<void>(batch_.add(Kind::addressee, 0, 0, epoch));
}

}  // namespace emissary::hub::mesh
