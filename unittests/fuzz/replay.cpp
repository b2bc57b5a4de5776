// An ordinary main for a fuzz target: replays inputs whole, cut and with bytes changed, so that the target runs in
// every test run and cannot rot. Inputs are the files and folders named on the command line and, where FUZZ_TYPE_BYTE
// is defined, the golden vectors (EmissaryFuzz.cmake). The number of inputs is asserted.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef FUZZ_TYPE_BYTE
#include "eta/codec/model/json.h"
#endif

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Input = std::vector<std::uint8_t>;

constexpr std::size_t kWork = 4u << 20;  // bytes fed for one file, about: long files are not cut at every byte

std::size_t inputs = 0;

/// In a block of exactly its size, so that a sanitizer sees any read behind it.
void feed(const Input& bytes, std::size_t size) {
    const std::unique_ptr<std::uint8_t[]> block{new std::uint8_t[size]};
    if (size != 0) std::memcpy(block.get(), bytes.data(), size);
    static_cast<void>(LLVMFuzzerTestOneInput(block.get(), size));
    ++inputs;
}

void replay(Input bytes, std::size_t step) {
    for (std::size_t n = 0; n < bytes.size(); n += step)
        feed(bytes, n);
    feed(bytes, bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += step) {
        const std::uint8_t was = bytes[i];
        for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
            bytes[i] = static_cast<std::uint8_t>(was ^ mask);
            feed(bytes, bytes.size());
        }
        bytes[i] = was;
    }
}

void replayFile(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    const Input bytes{std::istreambuf_iterator<char>(in), {}};
    replay(bytes, 1 + bytes.size() * bytes.size() * 4 / kWork);
}

void replayPath(const fs::path& path) {
    if (!fs::is_directory(path)) return replayFile(path);
    std::vector<fs::path> files;
    for (const fs::directory_entry& e : fs::directory_iterator(path))
        if (e.is_regular_file()) files.push_back(e.path());
    std::sort(files.begin(), files.end());
    if (files.empty()) throw std::runtime_error("no inputs in " + path.string());
    for (const fs::path& file : files)
        replayFile(file);
}

#ifdef FUZZ_TYPE_BYTE
std::size_t replayVectors() {
    using namespace emissary::eta::codec;
    const bool typed = FUZZ_TYPE_BYTE != 0;
    for (const char* file : {"messages.jsonl", "containers.jsonl", "containers_set.jsonl", "negative.jsonl"}) {
        model::forEachVector(file, [](const model::Vector& v) {
            Input bytes(v.bytes.size());
            if (!bytes.empty()) std::memcpy(bytes.data(), v.bytes.data(), bytes.size());
            // Every vector as the first six types of the container target, which is more than its own.
            for (unsigned first = 0; first < (typed ? 6u : 1u); ++first) {
                if (typed) {
                    if (first == 0) bytes.insert(bytes.begin(), std::uint8_t{0});
                    bytes.front() = static_cast<std::uint8_t>(first);
                }
                replay(bytes, 1);
            }
        });
    }
    return 300'000;
}
#else
std::size_t replayVectors() {
    return 20;
}
#endif

}  // namespace

int main(int argc, char** argv) {
    try {
        for (int i = 1; i < argc; ++i)
            replayPath(argv[i]);
        const std::size_t atLeast = replayVectors();
        std::printf("%zu inputs replayed\n", inputs);
        if (inputs >= atLeast) return 0;
        std::fprintf(stderr, "at least %zu were expected\n", atLeast);
    } catch (const std::exception& e) { std::fprintf(stderr, "%s\n", e.what()); }
    return 1;
}
