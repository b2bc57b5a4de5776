// Any bytes as what rwfcat reads. The first byte chooses the kind of input and, for streams, what was agreed on.
#include "eta/core/printable.h"
#include "rwfcat/rwfcat.h"

#include <cstdlib>

using namespace emissary::rwfcat;
using emissary::eta::transport::Compression;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    static constexpr Input kInputs[] = {Input::raw, Input::raw, Input::hex, Input::streamHex, Input::capture};
    Options options;
    options.input = kInputs[(data[0] & 7) % 5];
    options.capture.agreement.compression = static_cast<Compression>((data[0] >> 3) % 3);
    options.capture.agreement.ripcVersion = (data[0] & 0x20) != 0 ? 12 : 14;
    options.capture.port = (data[0] & 0x40) != 0 ? 14002 : 0;
    std::size_t lines = 0, faults = 0;
    Outputs outputs;
    outputs.out = [&lines](std::string_view line) {
        if (line.empty() || line.front() != '{' || line.back() != '\n') std::abort();
        ++lines;
    };
    outputs.notes = [&faults](std::string_view line) {
        // Names and texts of peers may be UTF-8; what a terminal would obey is spelled out, so that nothing is left to
        // escape.
        for (const char c : line)
            if ((static_cast<unsigned char>(c) < ' ') || c == '\x7F') std::abort();
        if (emissary::eta::printable(line) != line) std::abort();
        faults += line.find(": error: ") != std::string_view::npos;
    };
    const std::string_view content{reinterpret_cast<const char*>(data) + 1, size - 1};
    const Counts counts = print(content, "input", options, outputs);
    if (counts.messages > lines || counts.faults > faults) std::abort();
    return 0;
}
