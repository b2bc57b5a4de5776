// Fuzz target of everything that reads dictionaries. The first byte says what the rest is: a field file, an enumerated
// types file, or received parts of either kind. Built with libFuzzer (EMISSARY_LIBFUZZER) it explores; with the
// ordinary main() it replays the inputs given, whole and with changes from a fixed seed, in each test run.
#include "eta/dictionary/Dictionary.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

using emissary::eta::asText;
using emissary::eta::BeWriter;
using emissary::eta::Bytes;
using emissary::eta::dictionary::Dictionary;

/// What was accepted must hold together: found both ways, and encoded and decoded to as many rows.
bool holdsTogether(const Dictionary& d) {
    for (const auto* field : d.fields())
        if (d.find(field->fieldId) != field || d.find(field->acronym)->fieldId > field->fieldId) return false;
    for (const auto* table : d.enumTables())
        for (const auto& value : table->values())
            if (table->find(value.value) != &value) return false;
    std::vector<std::byte> block(1 << 17);
    Dictionary copy;
    for (Dictionary::Part part; d.hasFields() && !part.finished;) {
        BeWriter out{block};
        if (!d.encodeFields(out, 0x07, 4000, part).ok()) return true;  // names too long for the wire
        if (copy.decodeFields(out.view())) return false;
    }
    return copy.fields().size() == d.fields().size();
}

void use(bool good) {
    if (!good) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const Bytes input{reinterpret_cast<const std::byte*>(data) + 1, size - 1};
    Dictionary d;
    switch (data[0] & 3) {
    case 0:
        if (d.parseFields(asText(input), "input").text.empty()) use(holdsTogether(d));
        break;
    case 1:
        if (d.parseEnums(asText(input), "input").text.empty()) use(holdsTogether(d));
        break;
    case 2:
        if (d.decodeFields(input).text.empty()) use(holdsTogether(d));
        break;
    default:
        if (d.decodeEnums(input).text.empty()) use(holdsTogether(d));
        break;
    }
    return 0;
}

#ifndef EMISSARY_LIBFUZZER

namespace {

std::string readAll(const char* path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// In a block of its own size, so that a sanitizer sees reads past the end.
void run(char kind, const std::string& content) {
    const auto block = std::make_unique<std::uint8_t[]>(content.size() + 1);
    block[0] = static_cast<std::uint8_t>(kind);
    if (!content.empty()) std::memcpy(block.get() + 1, content.data(), content.size());
    (void)LLVMFuzzerTestOneInput(block.get(), content.size() + 1);
}

void runChanged(char kind, const std::string& content, int rounds) {
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    const auto next = [&state](std::size_t below) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::size_t>(state % below);
    };
    for (int round = 0; round < rounds && !content.empty(); ++round) {
        const std::size_t from = next(content.size());
        std::string changed = content.substr(from, 1 + next(4000));
        if (next(4) == 0) changed = content.substr(0, 1 + next(4000));
        for (std::size_t n = next(4); n > 0; --n) {
            const std::size_t at = next(changed.size());
            switch (next(3)) {
            case 0:
                changed[at] = static_cast<char>(next(256));
                break;
            case 1:
                changed.erase(at, 1 + next(8));
                if (changed.empty()) changed.push_back(' ');
                break;
            default:
                changed.insert(at, changed.substr(next(changed.size()), next(16)));
                break;
            }
        }
        run(kind, changed);
    }
}

}  // namespace

/// fuzz_dictionary FIELD_FILE ENUM_FILE
int main(int argc, char** argv) {
    if (argc != 3) return std::fprintf(stderr, "usage: %s FIELD_FILE ENUM_FILE\n", argv[0]), 2;
    Dictionary d;
    std::string contents[4] = {readAll(argv[1]), readAll(argv[2]), {}, {}};
    if (d.loadFields(argv[1]) || d.loadEnums(argv[2])) return std::fprintf(stderr, "cannot read the inputs\n"), 1;
    std::vector<std::byte> block(1 << 16);
    Dictionary::Part part;
    BeWriter fields{block};
    if (!d.encodeFields(fields, 0x07, 3000, part).ok()) return 1;
    contents[2] = asText(fields.view());
    part = {};
    BeWriter enums{block};
    if (!d.encodeEnums(enums, 0x07, 3000, part).ok()) return 1;
    contents[3] = asText(enums.view());
    for (char kind = 0; kind < 4; ++kind) {
        run(kind, contents[static_cast<std::size_t>(kind)]);
        run(kind, {});
        runChanged(kind, contents[static_cast<std::size_t>(kind)], 3000);
    }
    return 0;
}

#endif
