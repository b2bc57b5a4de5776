// An ordinary main for a fuzz target: replays the golden vectors, whole, cut and with bytes changed, so that the target
// runs in every test run and cannot rot. The number of inputs is asserted.
#include "codec/model/json.h"

#include <cstdio>
#include <cstring>
#include <memory>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::size_t inputs = 0;

/// In a block of exactly its size, so that a sanitizer sees any read behind it.
void feed(const std::vector<std::byte>& bytes, std::size_t size) {
    const std::unique_ptr<std::uint8_t[]> block{new std::uint8_t[size]};
    if (size != 0) std::memcpy(block.get(), bytes.data(), size);
    static_cast<void>(LLVMFuzzerTestOneInput(block.get(), size));
    ++inputs;
}

void replay(std::vector<std::byte> bytes) {
    for (std::size_t n = 0; n <= bytes.size(); ++n)
        feed(bytes, n);
    for (std::byte& b : bytes) {
        const std::byte was = b;
        for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
            b = was ^ static_cast<std::byte>(mask);
            feed(bytes, bytes.size());
        }
        b = was;
    }
}

}  // namespace

int main() {
    using namespace emissary::eta::codec;
    const bool typed = FUZZ_TYPE_BYTE != 0;
    try {
        for (const char* file : {"messages.jsonl", "containers.jsonl", "containers_set.jsonl", "negative.jsonl"}) {
            model::forEachVector(file, [typed](const model::Vector& v) {
                auto bytes = v.bytes;
                // Every vector as the first six types of the container target, which is more than its own.
                for (unsigned first = 0; first < (typed ? 6u : 1u); ++first) {
                    if (typed) {
                        if (first == 0) bytes.insert(bytes.begin(), std::byte{0});
                        bytes.front() = static_cast<std::byte>(first);
                    }
                    replay(bytes);
                }
            });
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    std::printf("%zu inputs replayed\n", inputs);
    return inputs > 300'000 ? 0 : 1;
}
