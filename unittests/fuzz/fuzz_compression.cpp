// Any bytes as what a compressed connection receives, once in one piece and once in small pieces: both must give the
// same messages and the same fault, and no unit may grow beyond M. The first byte chooses the compression, M and
// pieces.
#include "transport/stream/compression.h"

#include "fuzz/read_frames.h"

using namespace emissary::eta;
using namespace emissary::eta::transport;
using emissary::test::ReadFrames;

namespace {

ReadFrames run(Bytes in, Compression type, std::size_t maxMessage, std::size_t piece) {
    FrameReader reader;
    if (!reader.activate(maxMessage, 2, 4096, emissary::test::kFuzzLimits)) std::abort();
    reader.decompressWith(Decompressor::make(type, maxMessage));
    const std::size_t longest = std::max<std::size_t>(emissary::test::kFuzzLimits.maxMessageBytes, maxMessage);
    return emissary::test::readFrames(reader, in, piece, longest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr std::size_t kMax[] = {16, 100, 400, 6144};
    const Compression type = (data[0] & 1) != 0 ? Compression::lz4 : Compression::zlib;
    const std::size_t maxMessage = kMax[data[0] >> 1 & 3], piece = 1u + (data[0] >> 3);
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (!(run(in, type, maxMessage, size) == run(in, type, maxMessage, piece))) std::abort();
    return 0;
}
