// What the XML trace costs: messages a second to a file, in one thread, and the bytes that they become.
//
//     trace_bench [messages] [folder]
//
// An update of 20 fields and an image of a map with 50 entries, with and without the dump of the bytes.
#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "eta/core/Clock.h"
#include "eta/core/GrowingBuffer.h"
#include "eta/trace/XmlTrace.h"
#include "eta/transport/options.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace emissary::eta;
using namespace emissary::eta::codec;

[[noreturn]] void die(const char* what) {
    std::fprintf(stderr, "trace_bench: %s\n", what);
    std::exit(1);
}

void fields(BeWriter& out, int count) {
    FieldListEncoder list;
    list.begin(out);
    for (int n = 0; n < count; ++n)
        list.addReal(static_cast<std::int16_t>(n + 22), {100000 + n, 12});
    if (!list.complete().ok()) die("a field list does not fit");
}

std::vector<std::byte> message(MsgClass cls, DataType type, const GrowingBuffer& payload) {
    Msg m;
    m.cls = cls;
    m.streamId = 5;
    m.state = {StreamState::open, DataState::ok, 0, {}};
    m.containerType = type;
    m.payload = payload.view();
    std::vector<std::byte> bytes(maxEncodedSize(m));
    BeWriter out{bytes};
    if (!encodeMsg(out, m).ok()) die("a message does not fit");
    bytes.resize(out.size());
    return bytes;
}

void run(const char* name, const std::vector<std::byte>& bytes, int messages, const std::string& folder, bool hex) {
    trace::XmlTraceOptions options;
    options.toFile = true;
    options.fileName = folder + "/bench";
    options.maxFileSize = 1'000'000'000'000;
    options.hex = hex;
    const auto source = trace::makeXmlTrace(options, {});
    const auto trace = source->open(transport::ChannelInfo{}, 3);
    if (trace == nullptr) die("cannot write there");
    const auto start = Clock::now();
    for (int n = 0; n < messages; ++n)
        trace->tell(transport::MessageTrace::Event::incoming, bytes);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::uintmax_t written = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        written += entry.file_size();
        std::filesystem::remove(entry.path());
    }
    std::printf("%-22s %5zu bytes %-8s %10.0f messages/s  %6.0f bytes of text each\n", name, bytes.size(),
                hex ? "with hex" : "", messages / seconds, static_cast<double>(written) / messages);
}

}  // namespace

int main(int argc, char** argv) {
    const int messages = argc > 1 ? std::atoi(argv[1]) : 100000;
    std::string folder =
        (argc > 2 ? std::string(argv[2]) : std::filesystem::temp_directory_path().string()) + "/emissary-trace-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) die("cannot make a folder there");
    GrowingBuffer payload;
    fields(payload.start(), 20);
    const auto update = message(MsgClass::Update, DataType::FieldList, payload);
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::FieldList;
    map.begin(payload.start(), header, DataType::AsciiString);
    for (int n = 0; n < 50; ++n) {
        const std::string key = "ORDER" + std::to_string(n);
        map.beginEntry(MapAction::add, asBytes(key));
        fields(map.writer(), 5);
        map.endEntry();
    }
    if (!map.complete().ok()) die("a map does not fit");
    const auto image = message(MsgClass::Refresh, DataType::Map, payload);
    for (const bool hex : {false, true}) {
        run("update, 20 fields", update, messages, folder, hex);
        run("image, map of 50", image, messages / 20, folder, hex);
    }
    std::filesystem::remove_all(folder);
}
