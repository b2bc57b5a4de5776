// Any bytes as what a connection receives, once in one piece and once in small pieces: both must give the same
// messages and the same fault. The first byte chooses the largest message, the width of fragment ids and the pieces.
#include "fuzz/read_frames.h"

#include <limits>

using namespace emissary::eta;
using namespace emissary::eta::transport;
using emissary::test::ReadFrames;

namespace {

ReadFrames run(Bytes in, std::size_t maxMessage, std::size_t idBytes, std::size_t piece) {
    FrameReader reader;
    if (!reader.activate(maxMessage, idBytes, 4096, emissary::test::kFuzzLimits)) std::abort();
    return emissary::test::readFrames(reader, in, piece, std::numeric_limits<std::size_t>::max());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr std::size_t kMax[] = {16, 100, 500, 6144};
    const std::size_t maxMessage = kMax[data[0] & 3], idBytes = (data[0] & 4) != 0 ? 1 : 2;
    const std::size_t piece = 1 + (data[0] >> 3);
    const Bytes in = std::as_bytes(std::span{data + 1, size - 1});
    if (!(run(in, maxMessage, idBytes, size) == run(in, maxMessage, idBytes, piece))) std::abort();
    return 0;
}
