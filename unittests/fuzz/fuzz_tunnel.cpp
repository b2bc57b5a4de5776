// Any bytes as what a peer says of a tunnel: its class of service, its headers, and the messages of an open one. What
// decodes must encode to something that decodes to the same; an open tunnel must end or go on, within its limits.
#include "reactor/tunnel/ClassOfService.h"
#include "tunnel/Incoming.h"
#include "tunnel/Outgoing.h"

#include <cstdlib>

using namespace emissary;
using namespace emissary::reactor::tunnel;

namespace {

struct Nowhere final : Wire {
    eta::Error tryWrite(eta::Bytes) noexcept override { return {}; }
    void write(const eta::codec::Msg&) override {}
};
struct Reader final : Incoming::Reader {
    bool onData(eta::codec::DataType, eta::Bytes) override { return true; }
    void onFin() override {}
};

void classOfService(eta::Bytes in) {
    ClassOfService cos, back;
    if (!decode(in, cos).ok()) return;
    std::array<std::byte, 1024> room;
    eta::BeWriter out{room};
    if (!encode(out, cos, Writer::provider).ok() || !decode(out.view(), back).ok()) std::abort();
    if (back.authentication != cos.authentication || back.flowControl != cos.flowControl ||
        back.streamVersion != cos.streamVersion)
        std::abort();
}

/// Pieces of one byte of length each: header, number and data of a message.
void conversation(eta::Bytes in) {
    Counters counters;
    Nowhere wire;
    Reader reader;
    Incoming::Options io;
    io.maxMessage = 1000;
    io.limits.partialMessages = 3;
    io.limits.heldMessages = 8;
    Incoming incoming(io, counters);
    Outgoing::Options oo;
    oo.maxMessage = oo.bufferBytes = 20'000;
    Outgoing outgoing(oo, counters);
    static constexpr std::array<std::byte, 7000> data{};
    if (outgoing.submit(eta::codec::DataType::Opaque, data) != SubmitFault::none) std::abort();
    eta::BeReader rest(in);
    for (std::uint32_t seq = 0; rest.remaining() != 0;) {
        (void)outgoing.pump(wire);
        seq += rest.u8() % 4;
        Header header;
        const eta::Bytes bytes = rest.buf8();
        const std::uint8_t version = static_cast<std::uint8_t>(1 + bytes.size() % 2);
        if (!decodeHeader(bytes, version, header).ok()) return;
        if (!header.isData() && !header.fin) {
            if (!outgoing.onAck(header)) return;
            continue;
        }
        if (!incoming
                 .onMessage(header, header.fin ? header.seqNum : seq, eta::codec::DataType::Opaque, rest.buf8(), reader)
                 .empty())
            return;
        if (incoming.ackDue()) incoming.sendAck(wire);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const eta::Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (data[0] % 2 == 0) classOfService(in);
    else conversation(in);
    return 0;
}
