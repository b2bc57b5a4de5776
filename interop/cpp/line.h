// The command line that both feature programs share, and what it means as configuration of a channel or a server.
#pragma once

#include "Ema.h"
#include "eta/core/program_options.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace interop {

/// A check that did not hold; its text is the reason that is printed.
struct Failed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What the connection is made of.
struct Line {
    std::string port, tlsPort, transport = "tcp", protocol = "rssl.rwf", compression = "none", tls, certificates;
    bool expectRestart = false;
    /// Each step may take that long, on however busy a machine.
    refinitiv::ema::access::UInt64 patienceSeconds = 180;
    /// A book is printed after this many updates.
    refinitiv::ema::access::UInt64 at = 1500;
    /// Ping timeout of the WebSocket provider's clients; 0: the default.
    refinitiv::ema::access::UInt64 pingMillis = 0;

    /// @throws Failed when the command line makes no sense, and with the options when `--help` asks for them
    Line(int argc, char* argv[]) {
        using namespace emissary::eta;
        using Number = refinitiv::ema::access::UInt64;
        constexpr Number kMost = std::numeric_limits<Number>::max();
        const std::vector<ProgramOption> options{
            {"--port", "N", "where the other side listens, or this one does", takeText(port)},
            {"--tls-port", "N", "a second port, encrypted", takeText(tlsPort)},
            {"--transport", "tcp|ws|tls|wss", "what the connection is made of",
             takeChoice<std::string>(transport, {{"tcp", "tcp"}, {"ws", "ws"}, {"tls", "tls"}, {"wss", "wss"}})},
            {"--protocol", "NAME", "rssl.rwf, rssl.json.v2 or tr_json2", takeText(protocol)},
            {"--tls", "1.2|1.3", "the one version that is allowed",
             takeChoice<std::string>(tls, {{"1.2", "1.2"}, {"1.3", "1.3"}})},
            {"--certificates", "FOLDER", "has ca.pem, and for servers their own", takeText(certificates)},
            {"--compression", "none|zlib|lz4", "what the connection is compressed with",
             takeChoice<std::string>(compression, {{"none", "none"}, {"zlib", "zlib"}, {"lz4", "lz4"}})},
            {"--patience", "SECONDS", "how long each step may take", takeNumber<Number>(patienceSeconds, 1, kMost)},
            {"--at", "UPDATES", "a book is printed after so many", takeNumber<Number>(at, 1, kMost)},
            {"--ping-millis", "N", "ping timeout of WebSocket clients", takeNumber<Number>(pingMillis, 1, kMost)},
            {"--expect-restart", "", "the other side ends and comes back", takeFlag(expectRestart)},
        };
        const ProgramLine line = readProgramLine("this program", options, argc, argv);
        if (line.help || line.version) throw Failed("the options are\n" + optionLines(options));
        if (!line.mistake.empty()) throw Failed("option " + line.mistake);
        if (!line.words.empty()) throw Failed("[" + line.words.front() + "] is no option");
        if (port.empty()) throw Failed("option --port is required");
    }

    refinitiv::ema::access::UInt64 patienceMillis() const { return patienceSeconds * 1000; }
    bool encrypted() const { return transport == "tls" || transport == "wss"; }
    bool webSocket() const { return transport == "ws" || transport == "wss"; }
    bool json() const { return protocol != "rssl.rwf"; }

    // The numbers of EmaConfig.xml's enumerations.
    int compressionNumber() const { return compression == "zlib" ? 1 : compression == "lz4" ? 2 : 0; }
    int type() const { return encrypted() ? 1 : webSocket() ? 7 : 0; }
    int innerType() const { return webSocket() ? 7 : 0; }

    /// Adds what clients and servers have in common.
    void describe(refinitiv::ema::access::ElementList& entry) const {
        entry.addAscii("Port", port.c_str())
            .addEnum("CompressionType", static_cast<refinitiv::ema::access::UInt16>(compressionNumber()))
            .addUInt("InitializationTimeout", patienceSeconds)
            .addUInt("ConnectionPingTimeout", std::min<refinitiv::ema::access::UInt64>(patienceSeconds, 255) * 1000);
        if (webSocket()) entry.addAscii("WsProtocols", protocol.c_str());
        if (encrypted() && !tls.empty()) entry.addUInt("SecurityProtocol", tls == "1.3" ? 8 : 4);
    }
};

/// The whole configuration of a consumer named Interop. `dictionaryFiles`: its dictionaries lie in the current folder,
/// as the provider has none.
inline void describeConsumer(const Line& line, refinitiv::ema::access::Map& config, bool dictionaryFiles = false) {
    using namespace refinitiv::ema::access;
    const UInt64 wait = line.patienceMillis();
    ElementList channel;
    channel.addAscii("Host", "localhost");
    line.describe(channel);
    channel.addEnum("ChannelType", static_cast<UInt16>(line.type()));
    if (line.encrypted())
        channel.addEnum("EncryptedProtocolType", static_cast<UInt16>(line.innerType()))
            .addAscii("OpenSSLCAStore", (line.certificates + "/ca.pem").c_str());
    config
        .addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                     ElementList()
                         .addAscii("DefaultConsumer", "Interop")
                         .addMap("ConsumerList", Map()
                                                     .addKeyAscii("Interop", MapEntry::AddEnum,
                                                                  ElementList()
                                                                      .addAscii("Channel", "Interop")
                                                                      .addAscii("Dictionary", "Interop")
                                                                      .addInt("ReconnectMinDelay", 100)
                                                                      .addInt("ReconnectMaxDelay", 200)
                                                                      .addUInt("LoginRequestTimeOut", wait)
                                                                      .addUInt("DirectoryRequestTimeOut", wait)
                                                                      .addUInt("DictionaryRequestTimeOut", wait)
                                                                      .addUInt("RequestTimeout", wait)
                                                                      .addUInt("PostAckTimeout", wait)
                                                                      .complete())
                                                     .complete())
                         .complete())
        .addKeyAscii(
            "DictionaryGroup", MapEntry::AddEnum,
            ElementList()
                .addMap("DictionaryList",
                        Map()
                            .addKeyAscii("Interop", MapEntry::AddEnum,
                                         ElementList().addEnum("DictionaryType", dictionaryFiles ? 0 : 1).complete())
                            .complete())
                .complete())
        .addKeyAscii(
            "ChannelGroup", MapEntry::AddEnum,
            ElementList()
                .addMap("ChannelList", Map().addKeyAscii("Interop", MapEntry::AddEnum, channel.complete()).complete())
                .complete())
        .complete();
}

/// Price of an item with that many updates behind it, as mantissa with two decimals.
inline refinitiv::ema::access::Int64 priceAfter(int updates) {
    return 3990 + updates;
}

/// Orders of the large item: more than one fragment, whatever the transport.
inline constexpr int kOrders = 3000;

/// Runs a program's main part and prints how it ended, in the form that run.sh reads.
template <class Run>
int report(Run run) {
    try {
        const std::string result = run();
        std::cout << "RESULT ok " << result << std::endl;
        return 0;
    } catch (const refinitiv::ema::access::OmmException& failure) {
        std::cout << "RESULT failed " << failure.getText() << std::endl;
    } catch (const std::exception& failure) { std::cout << "RESULT failed " << failure.what() << std::endl; }
    return 1;
}

}  // namespace interop
