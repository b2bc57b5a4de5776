// The command line that both feature programs share, and what it means as configuration of a channel or a server.
#pragma once

#include "Ema.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

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

    /// @throws Failed when the command line makes no sense
    Line(int argc, char* argv[]) {
        std::string patience, updates, pings;
        const std::map<std::string_view, std::string*> options{
            {"--port", &port},
            {"--tls-port", &tlsPort},
            {"--transport", &transport},
            {"--protocol", &protocol},
            {"--tls", &tls},
            {"--certificates", &certificates},
            {"--compression", &compression},
            {"--patience", &patience},
            {"--at", &updates},
            {"--ping-millis", &pings},
        };
        for (int i = 1; i < argc; ++i) {
            const std::string_view name = argv[i];
            if (name == "--expect-restart") {
                expectRestart = true;
                continue;
            }
            const auto option = options.find(name);
            if (option == options.end() || i + 1 == argc)
                throw Failed("option " + std::string(name) +
                             " is unknown or has no value; there are --port N, --transport tcp|ws|tls|wss, --protocol "
                             "rssl.rwf|rssl.json.v2|tr_json2, --compression none|zlib|lz4, --tls 1.2|1.3, "
                             "--certificates FOLDER, "
                             "--patience SECONDS, --at UPDATES, --tls-port N, --ping-millis N and --expect-restart");
            *option->second = argv[++i];
        }
        if (port.empty()) throw Failed("option --port is required");
        number("--patience", patience, patienceSeconds);
        number("--at", updates, at);
        number("--ping-millis", pings, pingMillis);
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

private:
    /// Stays what it is without a text.
    static void number(const char* option, const std::string& text, refinitiv::ema::access::UInt64& to) {
        const auto end = text.data() + text.size();
        if (!text.empty() && (std::from_chars(text.data(), end, to).ptr != end || to == 0))
            throw Failed(std::string("option ") + option + ": '" + text + "' is not a number above 0");
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
