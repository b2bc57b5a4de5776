// rwfcat: RWF messages from hex lines, a captured byte stream or a pcap file, as JSON or text (docs/rwfcat.md).
#include "rwfcat.h"
#include "text_of.h"

#include "eta/codec/Types.h"
#include "eta/core/version.h"

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace emissary::rwfcat;
using emissary::eta::transport::Compression;

constexpr int kBadBytes = 1, kUsage = 2;

constexpr const char* kHelp =
    R"(Usage: rwfcat [options] [file...]
Prints RWF messages, one JSON object or one text each. Without a file, or for -, standard input is read.

  --schema vectors|text     JSON in the schema of the golden vectors (default), or text as toString() gives it
  --input KIND              auto (default), hex: one message a line; raw: the bytes of one direction of a connection;
                            stream-hex: the same as hex digits; pcap: a pcap or pcapng file; trace: an XML trace
  --type NAME               what the lines of hex input are: Msg (default), FieldList, Map, Real ...
  --dictionary DIR          RDMFieldDictionary and enumtype.def of this folder give the fields' types and names
  --port N                  only TCP connections with this port
  --ripc-version 11..14     for captures that lack the handshake (default 14)
  --compression NAME        none, zlib or lz4, for captures that lack the handshake
  --quiet                   no notes on handshakes and skipped bytes; errors are still told
  --help
  --version

Exit code: 0, 1 when bytes were bad, 2 when the command line or a file cannot be used.
)";

class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct CommandLine {
    Options options;
    std::vector<std::string> files;
    std::string dictionary;
    bool quiet = false, help = false, version = false;
};

long number(const std::string& option, const std::string& text, long low, long high) {
    long n = 0;
    const char* const end = text.data() + text.size();
    const auto [ptr, ec] = std::from_chars(text.data(), end, n);
    if (ec != std::errc() || ptr != end || n < low || n > high)
        throw UsageError(option + " must be a number from " + std::to_string(low) + " to " + std::to_string(high) +
                         ", not '" + text + "'");
    return n;
}

template <class T>
T choice(const std::string& option, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices) {
    std::string known;
    for (const auto& [word, value] : choices) {
        if (text == word) return value;
        known += (known.empty() ? "" : ", ") + std::string(word);
    }
    throw UsageError(option + " must be one of " + known + ", not '" + text + "'");
}

CommandLine parse(int argc, char** argv) {
    CommandLine c;
    Agreement& agreement = c.options.capture.agreement;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto argument = [&]() -> std::string {
            if (++i == argc) throw UsageError(option + " needs a value");
            return argv[i];
        };
        if (option == "--help" || option == "-?" || option == "-h") c.help = true;
        else if (option == "--version") c.version = true;
        else if (option == "--quiet") c.quiet = true;
        else if (option == "--schema")
            c.options.schema =
                choice<Schema>(option, argument(), {{"vectors", Schema::vectors}, {"text", Schema::text}});
        else if (option == "--input")
            c.options.input = choice<Input>(option, argument(),
                                            {{"auto", Input::automatic},
                                             {"hex", Input::hex},
                                             {"stream-hex", Input::streamHex},
                                             {"raw", Input::raw},
                                             {"pcap", Input::capture},
                                             {"trace", Input::trace}});
        else if (option == "--type") {
            const std::string name = argument();
            c.options.type = schemaType(name);
            if (c.options.type == emissary::eta::codec::DataType::Unknown)
                throw UsageError("--type: there is no type '" + name + "'");
        } else if (option == "--dictionary") c.dictionary = argument();
        else if (option == "--port")
            c.options.capture.port = static_cast<std::uint16_t>(number(option, argument(), 1, 65535));
        else if (option == "--ripc-version")
            agreement.ripcVersion = static_cast<int>(number(option, argument(), 11, 14));
        else if (option == "--compression")
            agreement.compression = choice<Compression>(
                option, argument(),
                {{"none", Compression::none}, {"zlib", Compression::zlib}, {"lz4", Compression::lz4}});
        else if (option.size() > 1 && option[0] == '-')
            throw UsageError("unknown option " + option + "; rwfcat --help lists the options");
        else c.files.push_back(option);
    }
    if (c.files.empty()) c.files.emplace_back("-");
    if (c.options.schema == Schema::text && c.options.type != emissary::eta::codec::DataType::Msg)
        throw UsageError("--schema text prints messages only; leave --type out");
    return c;
}

std::string readAll(const std::string& file) {
    if (file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
    std::error_code ec;
    if (std::filesystem::is_directory(file, ec)) throw UsageError(file + " is a folder");
    std::ifstream in(file, std::ios::binary);
    if (!in) throw UsageError("cannot open " + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

int run(int argc, char** argv) {
    CommandLine c = parse(argc, argv);
    if (c.help) {
        std::fputs(kHelp, stdout);
        return 0;
    }
    if (c.version) {
        std::printf("rwfcat (Emissary) %s\n", std::string(emissary::version()).c_str());
        return 0;
    }
    const TextOf texts(c.dictionary);
    if (!c.dictionary.empty()) c.options.dictionary = &texts.dictionary();
    c.options.textOf = [&texts](emissary::eta::Bytes message) { return texts(message); };
    Outputs outputs;
    outputs.out = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    outputs.notes = [&c](std::string_view line) {
        const bool fault = line.find(": error: ") != std::string_view::npos;
        if (c.quiet && !fault) return;
        std::fflush(stdout);  // so that notes stand where they belong
        std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    };
    std::size_t faults = 0;
    for (const std::string& file : c.files)
        faults += print(readAll(file), file == "-" ? "standard input" : file, c.options, outputs).faults;
    return faults == 0 ? 0 : kBadBytes;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "rwfcat: error: %s\n", e.what());
        return kUsage;
    }
}
