// Any bytes as datagrams of a multicast group. The first byte chooses: reliable datagrams from up to four senders that
// one receiver takes (what it hands out must be whole frames in sequence, and it must stay within its bounds), requests
// that a sender answers, or sequenced datagrams. Input: {u16 length, sender, datagram}, repeated.
#include "transport/multicast/Receiver.h"
#include "transport/multicast/Sender.h"
#include "transport/multicast/SequencedStream.h"

#include <cstdlib>
#include <vector>

using namespace emissary::eta;
using namespace emissary::eta::transport;
using namespace emissary::eta::transport::mcast;

namespace {

constexpr std::size_t kMost = 200;  // datagrams of one input

struct Sink final : Outlet {
    std::size_t group = 0, peer = 0;
    void toGroup(Bytes d) noexcept override { check(d), ++group; }
    void toPeer(const Endpoint&, Bytes d) noexcept override { check(d), ++peer; }
    static void check(Bytes d) noexcept {  // whatever we say, we understand
        Header h;
        Bytes body;
        if (parse(d, h, body) != Fault::none) std::abort();
    }
};

void reliable(const std::vector<Bytes>& datagrams, const std::vector<std::uint8_t>& from, bool fixLength) {
    ReceiverOptions options;
    options.returnPort = 1;
    options.maxMessageBytes = 1u << 16;
    options.maxWaiting = 64;
    options.poolHigh = 128;
    options.poolLow = 96;
    Receiver receiver(options);
    Sink sink;
    TimePoint now{};
    std::vector<std::byte> copy;
    const auto drain = [&] {
        Bytes message;
        for (;;) {
            const Receiver::Event e = receiver.next(message);
            if (e == Receiver::Event::nothing) break;
            if (e == Receiver::Event::message && (message.empty() || message.size() > options.maxMessageBytes))
                std::abort();
        }
        if (receiver.ready()) std::abort();
    };
    for (std::size_t i = 0; i < datagrams.size(); ++i) {
        copy.assign(datagrams[i].begin(), datagrams[i].end());
        // A wrong length field would hide what lies behind that check.
        if (fixLength && copy.size() >= kHeaderBytes) storeBe(copy.data() + 6, static_cast<std::uint16_t>(copy.size()));
        Header h;
        Bytes body;
        if (parse(copy, h, body) != Fault::none) continue;
        now += std::chrono::milliseconds(from[i] >> 2);
        Endpoint e;
        e.port = h.returnPort;
        e.address[0] = from[i] & 3;
        receiver.receive(h, body, e, now);
        if (receiver.senders() > Receiver::kMaxSenders || receiver.stored() > 256) std::abort();
        if ((from[i] & 0x80) == 0) drain();
        receiver.expire(now, sink);
    }
    for (int i = 0; i < 50; ++i) {
        now += std::chrono::milliseconds(500);
        receiver.expire(now, sink);
        drain();
    }
    if (receiver.senders() != 0 || receiver.stored() != 0) std::abort();  // all of them are silent, and forgotten
}

void requests(const std::vector<Bytes>& datagrams) {
    TimePoint now{};
    SenderOptions options;
    options.session = 1;
    options.returnPort = 1;
    options.poolHigh = 64;
    options.poolLow = 32;
    Sender sender(options, now);
    Sink sink;
    const std::array<std::byte, 20> frame{std::byte{0}, std::byte{20}, std::byte{2}};
    for (const Bytes d : datagrams) {
        if (!sender.append(frame, true)) std::abort();
        sender.seal();
        sender.sent(1, now);
        Header h;
        Bytes body;
        if (parse(d, h, body) == Fault::none && (h.type == Type::request || h.type == Type::promise)) {
            std::array<Range, kMaxRanges> ranges;
            const std::size_t n = readRanges(body, ranges);
            sender.requested({ranges.data(), n}, now, sink);
        }
        now += std::chrono::milliseconds(7);
        sender.expire(now, sink);
        if (sender.held() > options.poolHigh) std::abort();
    }
    if (sender.repairsSent.get() > datagrams.size() * options.repairsPerPacket) std::abort();
}

void sequenced(const std::vector<Bytes>& datagrams) {
    SequenceTracker tracker;
    for (const Bytes d : datagrams) {
        SequencedHeader h;
        Bytes body;
        if (!parseSequenced(d, h, body)) continue;
        while (!body.empty())
            body = body.subspan(2u + loadBe<std::uint16_t>(body.data()));
        static_cast<void>(tracker.follows({}, h.instance, h.sequence));
    }
    if (tracker.senders() > SequenceTracker::kMaxSenders) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    BeReader in(std::as_bytes(std::span{data + 1, size - 1}));
    std::vector<Bytes> datagrams;
    std::vector<std::uint8_t> from;
    while (in.remaining() > 3 && datagrams.size() < kMost) {
        const std::size_t length = in.u16();
        from.push_back(in.u8());
        datagrams.push_back(in.take(std::min(length, in.remaining())));
    }
    switch (data[0] & 3) {
    case 0:
        reliable(datagrams, from, true);
        break;
    case 1:
        reliable(datagrams, from, false);
        break;
    case 2:
        requests(datagrams);
        break;
    default:
        sequenced(datagrams);
        break;
    }
    return 0;
}
