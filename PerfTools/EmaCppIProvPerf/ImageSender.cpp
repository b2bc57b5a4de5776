// PerfTools/EmaCppIProvPerf: sends images in bursts, and gives way when a connection's output fills up.
#include "ImageSender.h"

#include "Clock.h"
#include "EmaErrors.h"
#include "emissary/output.h"

#include <algorithm>
#include <utility>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

// How long images wait for room before they look again; twice as long each time that there is none.
constexpr std::int64_t kShortestHold = 100'000, kLongestHold = 20'000'000;

}  // namespace

ImageSender::ImageSender(Parts parts, std::uint32_t burst, std::uint32_t share)
    : parts_(std::move(parts)), burst_(burst), share_(share), text_("Refresh Completed") {}

void ImageSender::send(OmmProvider& provider, std::int64_t until) {
    OpenItems& items = parts_.items;
    const SubmitBurst together(provider);
    const auto room = [&](std::uint64_t client) { return hasRoom(provider, client); };
    const std::uint64_t before = parts_.sent.get();
    WaitingItem item;
    std::string_view name;
    // A tunnel or a connection may have run out of output buffers: the others go on.
    // One more miss than there are connections: then each connection was asked once, and none has buffers.
    std::size_t without = 0;
    while (items.waiting() && !parts_.stopping() && without <= items.connections().size()) {
        if (!items.nextTurn(room)) break;
        bool buffers = true;
        for (std::uint32_t i = 0; buffers && i < burst_ && items.front(item, name); ++i)
            buffers = sendOne(provider, item, name);
        without = buffers ? 0 : without + 1;
        // The share of the tick is over, not the room: no pause is due.
        if (nowNanos() >= until) {
            hold_ = 0;
            return;
        }
    }
    // Without output buffers, or while no connection has room: later.
    if (!items.waiting()) hold_ = 0;
    else if (parts_.sent.get() != before || hold_ == 0) hold_ = kShortestHold;
    else hold_ = std::min(kLongestHold, 2 * hold_);
}

void ImageSender::sendSome(OmmProvider& provider) {
    if (parts_.items.waiting()) send(provider, nowNanos() + ImageShare::kNanos);
}

bool ImageSender::updatesGiveWay(OmmProvider& provider, Connection& connection) {
    return perf::updatesGiveWay(provider, connection.client, connection.waiting != 0, connection.share, share_);
}

// False when there are no output buffers.
// The dispatching thread may have closed the stream already, and its close event waits in the inbox.
bool ImageSender::sendOne(OmmProvider& provider, const WaitingItem& item, std::string_view name) {
    const bool book = parts_.books.serves(item.domain);
    RefreshMsg& image = book ? bookImage_ : parts_.messages.image(item.domain);
    if (book) parts_.books.fill(image, item.handle, item.domain);
    name_.set(name.data(), static_cast<UInt32>(name.size()));
    image.name(name_).serviceId(item.serviceId);
    image.state(item.streaming ? OmmState::OpenEnum : OmmState::NonStreamingEnum, OmmState::OkEnum, OmmState::NoneEnum,
                text_);
    try {
        provider.submit(image, item.handle);
    } catch (const OmmException& exception) {
        if (isNoBuffers(exception)) return false;
        parts_.items.dropFront();  // closed by its client a moment ago
        return true;
    }
    parts_.tunnelBuffers.note(provider, parts_.items.frontClient());
    parts_.items.imageSent();
    parts_.sent.add();
    return true;
}

}  // namespace emissary::perf
