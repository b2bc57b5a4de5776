// rwfcat: RWF messages from hex lines, a captured byte stream or a pcap file, as JSON or text (docs/rwfcat.md).
#include "rwfcat.h"
#include "text_of.h"

#include "eta/codec/Types.h"
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace emissary::rwfcat;
using emissary::eta::ProgramOption;
using emissary::eta::takeChoice;
using emissary::eta::takeFlag;
using emissary::eta::takeNumber;
using emissary::eta::takeText;
using emissary::eta::transport::Compression;

constexpr int kBadBytes = 1, kUsage = 2;

class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Standard output takes no more.
class OutputFailed : public std::runtime_error {
public:
    OutputFailed()
        : std::runtime_error(std::string("standard output cannot be written: ") + std::strerror(errno)) {}
};

struct CommandLine {
    Options options;
    std::vector<std::string> files;
    std::string dictionary;
    bool quiet = false;
};

std::vector<ProgramOption> optionsInto(CommandLine& c) {
    Agreement& agreement = c.options.capture.agreement;
    const auto takeType = [&c](const std::string& name) {
        c.options.type = schemaType(name);
        const bool known = c.options.type != emissary::eta::codec::DataType::Unknown;
        return known ? std::string() : "must be a type, and there is none named '" + name + "'";
    };
    return {
        {"--schema", "vectors|text",
         "JSON in the schema of the golden vectors (default), or text as\ntoString() gives it",
         takeChoice<Schema>(c.options.schema, {{"vectors", Schema::vectors}, {"text", Schema::text}})},
        {"--input", "KIND",
         "auto (default), hex: one message a line; raw: the bytes of one\ndirection of a connection; stream-hex: the "
         "same as hex digits;\npcap: a pcap or pcapng file; trace: an XML trace",
         takeChoice<Input>(c.options.input, {{"auto", Input::automatic},
                                             {"hex", Input::hex},
                                             {"stream-hex", Input::streamHex},
                                             {"raw", Input::raw},
                                             {"pcap", Input::capture},
                                             {"trace", Input::trace}})},
        {"--type", "NAME", "what the lines of hex input are: Msg (default), FieldList, Map, Real ...", takeType},
        {"--dictionary", "DIR", "RDMFieldDictionary and enumtype.def of this folder give the fields'\ntypes and names",
         takeText(c.dictionary)},
        {"--port", "N", "only TCP connections with this port",
         takeNumber<std::uint16_t>(c.options.capture.port, 1, 65535)},
        {"--ripc-version", "11..14", "for captures that lack the handshake (default 14)",
         takeNumber(agreement.ripcVersion, 11, 14)},
        {"--compression", "NAME", "none, zlib or lz4, for captures that lack the handshake",
         takeChoice<Compression>(
             agreement.compression,
             {{"none", Compression::none}, {"zlib", Compression::zlib}, {"lz4", Compression::lz4}})},
        {"--quiet", "", "no notes on handshakes and skipped bytes; errors are still printed", takeFlag(c.quiet)},
    };
}

std::string help(const std::vector<ProgramOption>& table) {
    return "Usage: rwfcat [options] [file...]\n"
           "Prints RWF messages, one JSON object or one text each. Without a file, or for -, standard input is "
           "read.\n\n" +
           emissary::eta::optionLines(table) +
           "\nExit code: 0, 1 when bytes were bad, 2 when the command line or a file cannot be used.\n";
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
    CommandLine c;
    const std::vector<ProgramOption> table = optionsInto(c);
    emissary::eta::ProgramLine given = emissary::eta::readProgramLine("rwfcat", table, argc, argv);
    if (given.help) return emissary::eta::printText("rwfcat", help(table));
    if (given.version)
        return emissary::eta::printText("rwfcat", "rwfcat (Emissary) " + std::string(emissary::version()) + "\n");
    if (!given.mistake.empty()) throw UsageError(given.mistake);
    c.files = std::move(given.words);
    if (c.files.empty()) c.files.emplace_back("-");
    if (c.options.schema == Schema::text && c.options.type != emissary::eta::codec::DataType::Msg)
        throw UsageError("--schema text prints messages only; leave --type out");
    const TextOf texts(c.dictionary);
    if (!c.dictionary.empty()) c.options.dictionary = &texts.dictionary();
    c.options.textOf = [&texts](emissary::eta::Bytes message) { return texts(message); };
    Outputs outputs;
    // A list that lacks messages must not look like a whole one: the first text that cannot be written ends it.
    outputs.out = [](std::string_view text) {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) throw OutputFailed();
    };
    // Notes are on stderr, so that the output stays a list of messages.
    outputs.notes = [&c](std::string_view line) {
        const bool fault = line.find(": error: ") != std::string_view::npos;
        if (c.quiet && !fault) return;
        std::fflush(stdout);  // so that notes stand where they belong
        std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
    };
    std::size_t faults = 0;
    for (const std::string& file : c.files)
        faults += print(readAll(file), file == "-" ? "standard input" : file, c.options, outputs).faults;
    if (!emissary::eta::standardOutputWritten("rwfcat")) return kUsage;
    return faults == 0 ? 0 : kBadBytes;
}

}  // namespace

int main(int argc, char** argv) {
    // Beyond `ulimit -f` a write fails, which is said, in the place of a signal that ends the program.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "rwfcat: error: %s\n", e.what());
        return kUsage;
    }
}
