// tools/rwfcat: reads packets of both file formats, and puts TCP segments in order.
#include "TcpCapture.h"

#include <arpa/inet.h>
#ifdef RWFCAT_HAS_PCAP
#include <pcap/pcap.h>
#endif

#include <cstdio>
#include <map>
#include <memory>
#include <optional>

namespace emissary::rwfcat {

using namespace emissary::eta;

// Both byte orders of pcap, with micro- and nanoseconds, and pcapng.
bool isCapture(Bytes file) noexcept {
    if (file.size() < 4) return false;
    switch (loadBe<std::uint32_t>(file.data())) {
    case 0xA1B2C3D4:
    case 0xD4C3B2A1:
    case 0xA1B23C4D:
    case 0x4D3CB2A1:
    case 0x0A0D0D0A:
        return true;
    }
    return false;
}

#ifdef RWFCAT_HAS_PCAP

namespace {

constexpr std::size_t kMaxHeld = 4u << 20;  // bytes that wait for a missing segment before it is given up

/// What a packet says of its TCP segment.
struct Segment {
    std::string from, to;
    std::uint16_t fromPort = 0, toPort = 0;
    std::uint32_t sequence = 0;
    bool syn = false, cut = false;  // cut: the capture holds less of the packet than was sent
    Bytes payload;
    std::size_t sent = 0;  // bytes of payload that were sent
};

std::string address(const std::byte* bytes, int family, std::uint16_t port) {
    char text[INET6_ADDRSTRLEN] = "";
    if (inet_ntop(family, bytes, text, sizeof text) == nullptr) return "?";
    const std::string shown = family == AF_INET6 ? "[" + std::string(text) + "]" : text;
    return shown + ":" + std::to_string(port);
}

std::optional<Segment> tcp(Bytes in, std::size_t sent, const std::byte* source, const std::byte* target, int family) {
    BeReader r{in};
    Segment s;
    s.fromPort = r.u16();
    s.toPort = r.u16();
    s.sequence = r.u32();
    static_cast<void>(r.u32());
    const std::size_t header = static_cast<std::size_t>(r.u8() >> 4) * 4;
    s.syn = (r.u8() & 0x02) != 0;
    // The header's length is a claim of the packet, and is checked against both what was captured and what was sent.
    if (!r.ok() || header < 20 || header > in.size() || header > sent) return {};
    s.payload = in.subspan(header, std::min(in.size(), sent) - header);
    s.sent = sent - header;
    s.cut = s.payload.size() < s.sent;
    s.from = address(source, family, s.fromPort);
    s.to = address(target, family, s.toPort);
    return s;
}

std::optional<Segment> ipv4(Bytes in) {
    if (in.size() < 20) return {};
    const std::size_t header = static_cast<std::size_t>(loadBe<std::uint8_t>(in.data()) & 0x0F) * 4;
    const std::size_t total = loadBe<std::uint16_t>(in.data() + 2);
    // Later fragments of IP have no TCP header; TCP over IP fragments is rare enough to be left out.
    const bool laterPart = (loadBe<std::uint16_t>(in.data() + 6) & 0x1FFF) != 0;
    if (header < 20 || header > in.size() || laterPart || loadBe<std::uint8_t>(in.data() + 9) != 6) return {};
    // Offloading leaves the length 0 in packets captured on their sender.
    const std::size_t length = total == 0 ? in.size() : total;
    if (length < header) return {};
    return tcp(in.subspan(header, std::min(in.size(), length) - header), length - header, in.data() + 12,
               in.data() + 16, AF_INET);
}

std::optional<Segment> ipv6(Bytes in) {
    if (in.size() < 40) return {};
    const std::size_t total = loadBe<std::uint16_t>(in.data() + 4);
    const std::size_t length = total == 0 ? in.size() - 40 : total;
    unsigned next = loadBe<std::uint8_t>(in.data() + 6);
    Bytes rest = in.subspan(40, std::min(in.size() - 40, length));
    std::size_t sent = length;
    while (next == 0 || next == 43 || next == 60) {  // options and routing
        if (rest.size() < 8) return {};
        const std::size_t size = 8 + 8 * static_cast<std::size_t>(loadBe<std::uint8_t>(rest.data() + 1));
        if (size > rest.size()) return {};
        next = loadBe<std::uint8_t>(rest.data());
        rest = rest.subspan(size);
        sent -= size;
    }
    if (next != 6) return {};
    return tcp(rest, sent, in.data() + 8, in.data() + 24, AF_INET6);
}

std::optional<Segment> ip(Bytes in) {
    if (in.empty()) return {};
    const unsigned version = loadBe<std::uint8_t>(in.data()) >> 4;
    return version == 4 ? ipv4(in) : version == 6 ? ipv6(in) : std::nullopt;
}

/// Behind the link layer's header; nothing for what carries no IP.
std::optional<Segment> packet(Bytes in, int link) {
    const auto behind = [&in](std::size_t typeAt, std::size_t header) -> std::optional<Segment> {
        for (; in.size() >= header; typeAt += 4, header += 4) {
            const unsigned type = loadBe<std::uint16_t>(in.data() + typeAt);
            if (type != 0x8100 && type != 0x88A8)  // VLAN tags come before the type proper
                return type == 0x0800 || type == 0x86DD ? ip(in.subspan(header)) : std::nullopt;
        }
        return {};
    };
    switch (link) {
    // The link layers that Linux and its tools write; others are left out without a word.
    case DLT_EN10MB:
        return behind(12, 14);
    case DLT_LINUX_SLL:
        return behind(14, 16);
    case DLT_LINUX_SLL2:
        return in.size() < 20 ? std::nullopt : behind(0, 20);
    case DLT_NULL:
    case DLT_LOOP:
        return in.size() < 4 ? std::nullopt : ip(in.subspan(4));
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
        return ip(in);
    default:
        return {};
    }
}

/// One direction: puts segments in order and drops what came before.
class Direction final : public StreamSink {
public:
    Direction(Agreement& agreement, CaptureSink& sink, Place place)
        : sink_(sink), place_(std::move(place)), stream_(agreement, *this, true) {}

    // Segments come in any order, twice, or cut; what reaches the stream is in order and once.
    void add(const Segment& s, std::int64_t seconds, std::int32_t microseconds) {
        place_.seconds = seconds;
        place_.microseconds = microseconds;
        if (s.sent == 0) return;
        if (!started_) started_ = true, next_ = s.sequence;
        const auto ahead = static_cast<std::int32_t>(s.sequence - next_);
        if (ahead > 0) {
            // A later capture of the same segment may have more of it.
            auto& kept = waiting_[position_ + static_cast<std::uint64_t>(ahead)];
            if (kept.size() < s.payload.size()) {
                held_ += s.payload.size() - kept.size();
                kept.assign(s.payload.begin(), s.payload.end());
            }
            if (held_ > kMaxHeld) giveUp();
            return;
        }
        const auto behind = static_cast<std::size_t>(-static_cast<std::int64_t>(ahead));
        take(s.payload, behind);
        // The capture holds less than was sent, so a hole follows what was taken.
        if (s.cut && s.sent > behind) skip(s.sent - std::max(behind, s.payload.size()));
        drain();
    }
    void finish() {
        while (!waiting_.empty())
            giveUp();
        stream_.finish();
    }

    void onMessage(Bytes message, std::uint64_t offset) override { sink_.onMessage(message, offset, place_); }
    void onNote(std::uint64_t offset, const std::string& text) override { sink_.onNote(offset, text, place_); }
    void onBadBytes(std::uint64_t offset, const std::string& text) override { sink_.onBadBytes(offset, text, place_); }

private:
    void take(Bytes bytes, std::size_t behind) {
        if (behind >= bytes.size()) return;  // everything in it was seen before
        bytes = bytes.subspan(behind);
        advance(bytes.size());
        stream_.feed(bytes);
    }
    void skip(std::uint64_t missing) {
        advance(missing);
        stream_.gap(missing);
    }
    void advance(std::uint64_t n) {
        next_ += static_cast<std::uint32_t>(n);
        position_ += n;
    }
    void drain() {
        while (!waiting_.empty() && waiting_.begin()->first <= position_) {
            const auto node = waiting_.extract(waiting_.begin());
            held_ -= node.mapped().size();
            take(node.mapped(), static_cast<std::size_t>(position_ - node.key()));
        }
    }
    void giveUp() {
        skip(waiting_.begin()->first - position_);
        drain();
    }

    CaptureSink& sink_;
    Place place_;
    RipcStream stream_;
    std::map<std::uint64_t, std::vector<std::byte>> waiting_;  // by stream position
    std::size_t held_ = 0;
    std::uint64_t position_ = 0;  // bytes of the direction so far
    std::uint32_t next_ = 0;      // sequence number of the next one
    bool started_ = false;
};

struct Connection {
    Agreement agreement;
    std::unique_ptr<Direction> forth, back;
};

void end(Connection& c) {
    c.forth->finish();
    c.back->finish();
}

/// Bytes that RSSL peers send first, or in the middle: without a port given, other traffic is left alone.
bool looksLikeRssl(Bytes payload) {
    // Read on trial: messages without a bad byte are taken for RSSL.
    struct Nothing final : StreamSink {
        bool message = false, bad = false;
        void onMessage(Bytes, std::uint64_t) override { message = true; }
        void onNote(std::uint64_t, const std::string&) override { message = true; }
        void onBadBytes(std::uint64_t, const std::string&) override { bad = true; }
    } seen;
    Agreement agreement;
    RipcStream probe(agreement, seen, false);
    probe.feed(payload);
    return seen.message && !seen.bad;
}

}  // namespace

std::string readCapture(Bytes file, const CaptureOptions& options, CaptureSink& sink) {
    char error[PCAP_ERRBUF_SIZE] = "";
    if (file.empty()) return "the file is empty";
    // The library closes the stream with the capture; it only reads.
    std::FILE* const stream = fmemopen(const_cast<std::byte*>(file.data()), file.size(), "rb");
    if (stream == nullptr) return "out of memory";
    const std::unique_ptr<pcap_t, void (*)(pcap_t*)> capture(pcap_fopen_offline(stream, error), pcap_close);
    if (!capture) {
        std::fclose(stream);
        return error;
    }
    const int link = pcap_datalink(capture.get());
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Connection>> connections;
    pcap_pkthdr* head = nullptr;
    const u_char* data = nullptr;
    int got = 0;
    while ((got = pcap_next_ex(capture.get(), &head, &data)) == 1) {
        // caplen, not len: only what was captured is there.
        const std::optional<Segment> s = packet(std::as_bytes(std::span{data, head->caplen}), link);
        if (!s || (options.port != 0 && s->fromPort != options.port && s->toPort != options.port)) continue;
        // Both directions of a connection are one entry, found by its sorted ends.
        const bool swapped = s->to < s->from;
        const auto ends = swapped ? std::pair(s->to, s->from) : std::pair(s->from, s->to);
        auto found = connections.find(ends);
        if (s->syn) {  // a new connection between the same ends
            if (found != connections.end()) end(*found->second), connections.erase(found);
            continue;
        }
        if (found == connections.end()) {
            // Without --port every connection is tried, and the others cost one look.
            if (s->payload.empty() || (options.port == 0 && !looksLikeRssl(s->payload))) continue;
            found = connections.emplace(ends, std::make_unique<Connection>()).first;
            Connection& c = *found->second;
            c.agreement = options.agreement;
            c.forth = std::make_unique<Direction>(c.agreement, sink, Place{ends.first, ends.second, 0, 0});
            c.back = std::make_unique<Direction>(c.agreement, sink, Place{ends.second, ends.first, 0, 0});
        }
        (swapped ? found->second->back : found->second->forth)
            ->add(*s, head->ts.tv_sec, static_cast<std::int32_t>(head->ts.tv_usec));
    }
    // What a connection still holds is printed at the end of the file.
    for (const auto& [ends, connection] : connections)
        end(*connection);
    return got == PCAP_ERROR ? pcap_geterr(capture.get()) : "";
}

#else

std::string readCapture(Bytes, const CaptureOptions&, CaptureSink&) {
    return "this rwfcat was built without libpcap and cannot read capture files; install libpcap-dev and build again";
}

#endif

}  // namespace emissary::rwfcat
