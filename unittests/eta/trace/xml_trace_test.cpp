// The files of a trace: a session as sampled, limits, what cannot be written (xml-trace.md 2, 3).
#include "samples.h"

#include "eta/codec/model/json.h"
#include "eta/trace/XmlTrace.h"
#include "eta/transport/Channel.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

using namespace trace_test;
using namespace emissary::eta;
using emissary::eta::trace::makeXmlTrace;
using emissary::eta::trace::TraceNotice;
using emissary::eta::trace::XmlTraceOptions;
using transport::ChannelInfo;
using Event = transport::MessageTrace::Event;

namespace {

/// A folder of its own, gone with it.
struct Folder {
    std::string path;
    Folder() {
        char name[] = "/tmp/emissary_trace_XXXXXX";
        path = ::mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            all.push_back(entry.path());
        std::sort(all.begin(), all.end());
        return all;
    }
};

std::string contentOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Traced {
    Folder folder;
    XmlTraceOptions options;
    std::vector<std::pair<TraceNotice, std::string>> told;
    std::shared_ptr<transport::TraceSource> source;

    explicit Traced(XmlTraceOptions o = {}) : options(std::move(o)) {
        options.toFile = true;
        options.fileName = folder.path + "/trace";
        open();
    }
    void open() {
        source = makeXmlTrace(options,
                              [this](TraceNotice notice, const std::string& text) { told.emplace_back(notice, text); });
    }
    [[nodiscard]] std::size_t stops() const {
        return static_cast<std::size_t>(
            std::count_if(told.begin(), told.end(), [](const auto& one) { return one.first == TraceNotice::stopped; }));
    }
};

ChannelInfo json() {
    ChannelInfo info;
    info.protocolType = transport::kProtocolJson;
    return info;
}

/// Descriptor and time out of it.
std::string comparable(const std::string& text) {
    static const std::regex descriptor("descriptor = [0-9]+"),
        time("<!-- Time: [0-9]{1,2}:[0-9]{2}:[0-9]{2}:[0-9]{3} -->");
    return std::regex_replace(std::regex_replace(text, descriptor, "descriptor = N"), time, "<!-- Time -->");
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("xml trace: both files of a session, as sampled", "[trace][files]") {
    const SessionSample sample = sessionSample();
    const bool consumer = GENERATE(true, false);
    INFO((consumer ? "consumer" : "provider"));
    XmlTraceOptions options;
    (consumer ? options.ping : options.hex) = true;
    Traced t(options);
    REQUIRE(t.source->atOnce());
    const auto trace = t.source->open(ChannelInfo{}, 13);
    REQUIRE(trace != nullptr);
    // The sample's own order: pings stand between the messages.
    const std::string& expected = consumer ? sample.consumerFile : sample.providerFile;
    std::istringstream lines(expected);
    std::size_t next = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("<!-- Incoming Ping")) trace->tell(Event::incomingPing, {});
        else if (line.starts_with("<!-- Outgoing Ping")) trace->tell(Event::outgoingPing, {});
        else if (line.starts_with("<!-- Channel Closed")) trace->tell(Event::channelClosed, {});
        else if (line.starts_with("<!-- Incoming Message") || line.starts_with("<!-- Outgoing Message")) {
            REQUIRE(next < sample.wire.size());
            const bool outgoing = line.starts_with("<!-- Out");
            CHECK(outgoing == (sample.wire[next].byConsumer == consumer));
            trace->tell(outgoing ? Event::outgoing : Event::incoming, sample.wire[next++].message);
        }
    }
    CHECK(next == sample.wire.size());
    const auto files = t.folder.files();
    REQUIRE(files.size() == 1);
    CHECK(std::regex_match(files[0], std::regex(".*/trace_[0-9]{13}\\.xml")));
    CHECK((std::filesystem::status(files[0]).permissions() & std::filesystem::perms::others_all) ==
          std::filesystem::perms::none);
    CHECK(comparable(contentOf(files[0])) == comparable(expected));
}

TEST_CASE("xml trace: a full file is the last, or is followed by others", "[trace][files]") {
    const auto message = samples("messages.jsonl").at(0).message;  // some 360 bytes with its comments
    XmlTraceOptions options;
    options.maxFileSize = 1000;
    options.multipleFiles = GENERATE(false, true);
    Traced t(options);
    const auto trace = t.source->open(ChannelInfo{}, 5);
    REQUIRE(trace != nullptr);
    for (int n = 0; n < 9; ++n)
        trace->tell(Event::incoming, message);
    const auto files = t.folder.files();
    if (!options.multipleFiles) {
        REQUIRE(files.size() == 1);
        CHECK(t.stops() == 1);
    } else CHECK(files.size() == 3);
    for (const std::string& file : files) {
        const std::string text = contentOf(file);
        CHECK(text.size() >= 1000);
        CHECK(count(text, "<!-- Incoming Message") == 3);
        CHECK(text.ends_with("<!-- End Message (Channel IPC descriptor = 5) -->\n"));
    }
}

TEST_CASE("xml trace: the files of one source are limited", "[trace][files]") {
    XmlTraceOptions options;
    options.maxFiles = 3;
    Traced t(options);
    std::vector<std::unique_ptr<transport::MessageTrace>> traces;
    for (int n = 0; n < 5; ++n)
        traces.push_back(t.source->open(ChannelInfo{}, n));
    CHECK(t.folder.files().size() == 3);  // and no two have one name, however fast they come
    CHECK(traces[2] != nullptr);
    CHECK(traces[3] == nullptr);
    CHECK(t.stops() == 2);
    CHECK(t.told.back().second.find("XmlTraceMaxFiles") != std::string::npos);
}

TEST_CASE("xml trace: what is traced is chosen", "[trace][files]") {
    const auto message = samples("messages.jsonl").at(0).message;
    const auto textWith = [&](auto change) {
        XmlTraceOptions options;
        change(options);
        Traced t(options);
        const auto trace = t.source->open(ChannelInfo{}, 5);
        for (const Event e :
             {Event::incoming, Event::outgoing, Event::packed, Event::incomingPing, Event::outgoingPing})
            trace->tell(e, e == Event::incomingPing || e == Event::outgoingPing ? Bytes{} : Bytes(message));
        return contentOf(t.folder.files().at(0));
    };
    const auto headings = [&](const std::string& text) {
        return std::array{count(text, "<!-- Incoming M"), count(text, "<!-- Outgoing M"), count(text, "<!-- Pack M"),
                          count(text, "<!-- Incoming P"), count(text, "<!-- Outgoing P")};
    };
    using Counts = std::array<std::size_t, 5>;
    CHECK(headings(textWith([](auto&) {})) == Counts{1, 1, 1, 0, 0});
    CHECK(headings(textWith([](auto& o) { o.read = false; })) == Counts{0, 1, 1, 0, 0});
    CHECK(headings(textWith([](auto& o) { o.write = false; })) == Counts{1, 0, 0, 0, 0});
    CHECK(headings(textWith([](auto& o) { o.ping = true; })) == Counts{1, 1, 1, 1, 1});
    CHECK(headings(textWith([](auto& o) { o.pingOnly = true; })) == Counts{0, 0, 0, 1, 1});
    CHECK(count(textWith([](auto& o) { o.hex = true; }), "\n000B 0105 0000 0000 0000 8001 00\n<!-- End") == 3);
}

TEST_CASE("xml trace: what is no message of RWF is told as bytes, and JSON as text", "[trace][files]") {
    Traced t;
    const auto rwf = t.source->open(ChannelInfo{}, 5);
    rwf->tell(Event::incoming, codec::model::unhex("0009"
                                                   "ff"));
    CHECK(comparable(contentOf(t.folder.files().at(0))) ==
          "<!-- Incoming Message (Channel IPC descriptor = N) -->\n<!-- Time -->\n"
          "<!-- rwfMajorVer=\"14\" rwfMinorVer=\"1\" -->\n0009 FF\n"
          "<!-- End Message (Channel IPC descriptor = N) -->\n");
    const auto text = t.source->open(json(), 6);
    text->tell(Event::outgoing, asBytes("{\"Type\":\"Ping\",\n\"x\":\"\xc3\xa9\"}"));
    CHECK(comparable(contentOf(t.folder.files().at(1))) ==
          "<!-- Outgoing Message (Channel IPC descriptor = N) -->\n<!-- Time -->\n<!-- JSON protocol\n"
          "{\"Type\":\"Ping\",(0x0a)\"x\":\"(0xc3)(0xa9)\"}\n-->\n"
          "<!-- End Message (Channel IPC descriptor = N) -->\n");
}

TEST_CASE("xml trace: broken payloads are followed by their bytes, and the next entry begins at the margin",
          "[trace][files]") {
    Traced t;
    const auto trace = t.source->open(ChannelInfo{}, 5);
    auto message = samples("messages.jsonl").at(1).message;  // attributes, containers
    message.resize(message.size() - 40);
    trace->tell(Event::incoming, message);
    trace->tell(Event::incoming, samples("messages.jsonl").at(0).message);
    const std::string text = contentOf(t.folder.files().at(0));
    CHECK(count(text, "\n<requestMsg") == 2);
    CHECK(count(text, "\n</requestMsg>") == 1);
    CHECK(count(text, "\n004A 0105 0000") == 1);
    CHECK(count(text, "\n<!-- End Message") == 2);
}

TEST_CASE("xml trace: a file that cannot be opened, and a disk that is full, are told and do no harm",
          "[trace][files]") {
    const auto message = samples("messages.jsonl").at(0).message;
    SECTION("no such folder") {
        Traced t;
        t.options.fileName = t.folder.path + "/none/trace";
        t.open();
        CHECK(t.source->open(ChannelInfo{}, 5) == nullptr);
        REQUIRE(t.stops() == 1);
        CHECK(t.told[0].second.find("none/trace_") != std::string::npos);
        CHECK(t.told[0].second.find("XmlTraceFileName") != std::string::npos);
    }
    SECTION("no room left") {
        Traced t;
        const auto trace = t.source->open(ChannelInfo{}, 5);
        rlimit before{};
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit small = before;
        small.rlim_cur = 2000;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
        for (int n = 0; n < 20; ++n)
            trace->tell(Event::incoming, message);
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK(t.stops() == 1);  // once, not for every message
        CHECK(t.told.back().second.find("failed") != std::string::npos);
        CHECK(std::filesystem::file_size(t.folder.files().at(0)) <= 2000);
    }
}

TEST_CASE("xml trace: the text of one message is bounded", "[trace][files]") {
    // A field list of 65535 empty entries: some 50 characters for 3 bytes.
    std::vector<std::byte> list = codec::model::unhex("08ffff");
    for (int n = 0; n < 65535; ++n)
        for (const std::byte b : codec::model::unhex("000100"))
            list.push_back(b);
    auto message = codec::model::unhex("00080706000000051004");
    message.insert(message.end(), list.begin(), list.end());
    XmlTraceOptions options;
    options.maxFileSize = 100;
    Traced t(options);
    const auto trace = t.source->open(ChannelInfo{}, 5);
    trace->tell(Event::incoming, message);
    const std::string text = contentOf(t.folder.files().at(0));
    CHECK(text.size() > 2'000'000);
    CHECK(text.size() < (17u << 20));
    CHECK(text.ends_with("<!-- End Message (Channel IPC descriptor = 5) -->\n"));
}

TEST_CASE("xml trace: messages of a channel reach the file", "[trace][files]") {
    using namespace transport;
    Traced client, server;
    BindOptions bind;
    bind.port = "0";
    bind.tracing = server.source;
    Refused refused;
    const auto listener = Server::bind(bind, refused);
    REQUIRE(listener != nullptr);
    ConnectOptions connect;
    connect.port = std::to_string(listener->port());
    connect.tracing = client.source;
    const auto now = Clock::now();
    const auto from = Channel::connect(connect, now, refused);
    std::unique_ptr<Channel> to;
    const auto end = now + emissary::test::kPatience;
    while ((from->state() != ChannelState::active || !to || to->state() != ChannelState::active) &&
           Clock::now() < end) {
        if (!to) to = listener->accept(now);
        static_cast<void>(from->init(now));
        if (to) static_cast<void>(to->init(now));
    }
    REQUIRE(to->state() == ChannelState::active);
    const auto message = samples("messages.jsonl").at(0).message;
    {
        const std::lock_guard lock(from->outputLock());
        REQUIRE(from->write(message).ok());
        from->flush();
    }
    while (to->read().kind != ReadResult::Kind::message && Clock::now() < end) {}
    CHECK(count(contentOf(client.folder.files().at(0)), "<!-- Outgoing Message") == 1);
    CHECK(count(contentOf(server.folder.files().at(0)), "<!-- Incoming Message") == 1);
}
