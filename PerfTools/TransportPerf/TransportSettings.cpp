// Checks the options of TransportPerf, and fills its settings.
#include "TransportSettings.h"

#include <algorithm>
#include <unistd.h>

namespace emissary::perf {

namespace {

using namespace eta::transport;

void require(bool condition, const char* text) {
    if (!condition) throw OptionError(text);
}

[[nodiscard]] ConnectionType connectionType(std::string_view option, const std::string& text) {
    for (const ConnectionTypeRow& row : kConnectionTypes)
        if (!row.tool.empty() && text == row.tool) return row.type;
    std::string kinds;
    for (const ConnectionTypeRow& row : kConnectionTypes)
        if (!row.tool.empty()) kinds.append(kinds.empty() ? "" : ", ").append(row.tool);
    throw OptionError("Config Error: " + std::string(option) + ": '" + text +
                      "' is not a kind of connection here; use one of " + kinds + ".");
}

[[nodiscard]] Compression compression(const std::string& text) {
    return text == "zlib" ? Compression::zlib : text == "lz4" ? Compression::lz4 : Compression::none;
}

void readChannel(const Options& options, const TransportPerfSettings& settings, ChannelOptions& channel) {
    // A number of its own: a market-data server refuses this tool at the handshake, and the other way round.
    channel.protocolType = kTransportPerfProtocol;
    channel.protocolMajor = channel.protocolMinor = 0;
    channel.guaranteedOutputBuffers = settings.outputBufs;
    channel.numInputBuffers = settings.inputBufs;
    channel.sysSendBufSize = settings.sendBufSize;
    channel.sysRecvBufSize = settings.recvBufSize;
    channel.highWaterMark = settings.highWaterMark;
    channel.tcpNoDelay = !settings.tcpDelay;
    channel.directWrite = settings.directWrite;
    channel.busyRead = settings.busyRead;
    channel.interfaceName = settings.interfaceName;
    channel.compression = compression(options.text("-compressionType"));
}

void readServer(const Options& options, ConnectionType type, TransportPerfSettings& settings) {
    BindOptions& bind = settings.bind;
    readChannel(options, settings, bind);
    bind.connectionType = type;
    checkPort(options, "-p");
    bind.port = settings.port;
    bind.maxFragmentSize = settings.maxFragmentSize;
    bind.compressionLevel = settings.compressionLevel;
    // Normally both ends have to ask for compression; a test decides it in one place, the server's command line.
    bind.forceCompression = options.given("-compressionType") && bind.compression != Compression::none;
    bind.tls.certificate = settings.certificate;
    bind.tls.privateKey = settings.privateKey;
    require(!rowOf(type).encrypted || (!bind.tls.certificate.empty() && !bind.tls.privateKey.empty()),
            "Config Error: An encrypted server needs -cert and -keyfile.");
    bind.webSocket.protocols = settings.protocols;
}

void readClient(const Options& options, ConnectionType type, TransportPerfSettings& settings) {
    ConnectOptions& connect = settings.connect;
    readChannel(options, settings, connect);
    connect.connectionType = type;
    if (options.given("-encryptedConnType"))
        connect.encryptedProtocol = connectionType("-encryptedConnType", options.text("-encryptedConnType"));
    require(connect.encryptedProtocol != ConnectionType::encrypted,
            "Config Error: -encryptedConnType: inside an encrypted connection goes socket or websocket.");
    connect.host = settings.host;
    checkPort(options, "-p", rowOf(type).sharedMemory ? PortUse::listen : PortUse::connect);
    connect.port = settings.port;
    connect.tls.caStore = settings.caStore;
    connect.webSocket.protocols = settings.protocols;
}

/// Both ends are clients, because there is no server to connect to, only groups.
void readMulticast(const Options& options, TransportPerfSettings& settings) {
    const ConnectionType type = settings.connect.connectionType;
    if (!isMulticast(type)) {
        for (const char* name : {"-ra", "-rp", "-sa", "-sp", "-u", "-mcastStats"})
            require(!options.given(name),
                    ("Config Error: " + std::string(name) + " is for -connType reliableMCast or seqMCast.").c_str());
        return;
    }
    MulticastOptions& o = settings.connect.multicast;
    o.receiveAddress = settings.receiveAddress;
    o.receivePort = settings.receivePort;
    o.sendAddress = settings.sendAddress;
    o.sendPort = settings.sendPort;
    o.unicastPort = settings.unicastPort;
    const bool reliable = type == ConnectionType::reliableMulticast;
    const auto needed = [&](const char* name, std::string& value, bool always) {
        require(!value.empty() || !(always || reliable),
                ("Config Error: A multicast connection needs " + std::string(name) + ".").c_str());
    };
    needed("-ra", o.receiveAddress, true);
    needed("-rp", o.receivePort, true);
    needed("-sa", o.sendAddress, false);
    needed("-sp", o.sendPort, false);
    // Repairs are asked for by unicast, and any free port serves.
    if (o.unicastPort.empty()) o.unicastPort = "0";
    require(settings.threads.size() == 1, "Config Error: A multicast test has one connection: use one thread.");
    require(options.text("-compressionType") == "none", "Config Error: Multicast does not compress.");
}

void readRates(Options& options, TransportPerfSettings& settings) {
    require(options.number("-tickRate") >= 1, "Config Error: Tick rate cannot be less than 1.");
    // The default latency rate is above zero and would contradict a rate of zero that the user did ask for.
    if (settings.messageRate == 0 && !options.given("-latencyMsgRate")) settings.latencyRate = 0;
    const auto above = [&](std::uint32_t limit) {
        return settings.latencyRate != kAllMessages && settings.latencyRate > std::int64_t{limit};
    };
    require(!above(settings.messageRate), "Config Error: Latency msg rate cannot be greater than total msg rate.");
    require(!above(settings.tickRate), "Config Error: Latency msg rate cannot be greater than total ticks per second.");
    require(settings.messageRate == 0 || settings.messageRate >= settings.tickRate,
            "Config Error: Update rate cannot be less than total ticks per second(unless it is zero).");
    require(!settings.reflect || settings.packCount == 1, "Config Error: Reflection does not pack messages.");
    require(settings.packCount == 1 || settings.messageBytes + 2 <= settings.maxFragmentSize,
            "Config Error: A message larger than -maxFragmentSize cannot be packed.");

    if (settings.reflect) {
        options.showAs("-msgRate", "0(reflecting)");
        options.showAs("-latencyMsgRate", "0(reflecting)");
    } else if (settings.latencyRate == kAllMessages) {
        options.showAs("-latencyMsgRate", std::to_string(settings.messageRate));
    } else {
        options.showAs("-latencyMsgRate", std::to_string(settings.latencyRate));
    }
    options.showAs("-pack",
                   settings.packCount == 1 ? "No" : "Yes(" + std::to_string(settings.packCount) + " per pack)");
}

/// Data goes from the server to its clients.
void checkSharedMemory(const TransportPerfSettings& settings) {
    require(!settings.reflect, "Config Error: Shared memory connections do not reflect messages.");
    require(settings.isServer || settings.messageRate == 0,
            "Config Error: A shared memory client only receives: use -msgRate 0.");
}

/// A server and a client may run in one folder: file names that were not given carry the process id.
void readFiles(Options& options, TransportPerfSettings& settings) {
    const std::string process = "_" + std::to_string(::getpid());
    const auto named = [&](std::string_view name, std::string_view otherName) {
        if (options.given(otherName)) options.showAs(name, options.text(otherName));
        return options.given(otherName) || options.given(name);
    };
    if (!named("-statsFile", "-statsFileStatic")) settings.statsSuffix = process;
    settings.statsFile = options.text(options.given("-statsFileStatic") ? "-statsFileStatic" : "-statsFile");
    const bool summaryNamed = named("-summaryFile", "-summaryFileStatic");
    settings.summaryFile = options.text(options.given("-summaryFileStatic") ? "-summaryFileStatic" : "-summaryFile");
    if (!summaryNamed) {
        settings.summaryFile.insert(settings.summaryFile.rfind('.'), process);
        options.showAs("-summaryFile", settings.summaryFile);
    }
}

void showUnits(Options& options, const TransportPerfSettings& settings) {
    const auto buffer = [&](std::string_view name, std::uint32_t bytes) {
        options.showAs(name, bytes == 0 ? "0(use default)" : std::to_string(bytes) + " bytes");
    };
    buffer("-sendBufSize", settings.sendBufSize);
    buffer("-recvBufSize", settings.recvBufSize);
    options.showAs("-runTime", std::to_string(settings.runSeconds) + " sec");
    const std::string& type = options.text("-compressionType");
    options.showAs("-compressionType", type + (type == "zlib" ? "(1)" : type == "lz4" ? "(2)" : "(0)"));
    options.showAs("-tcpDelay", settings.tcpDelay ? "No" : "Yes");
    options.showAs("-noDisplayStats", settings.displayStats ? "Yes" : "No");
}

}  // namespace

TransportPerfSettings transportPerfSettings(Options& options) {
    TransportPerfSettings settings;
    options.store({.tool = &settings, .transport = &settings});
    // There is no option for it: microseconds would be too coarse here.
    settings.nanoTime = true;
    const auto main = parseCpuBindings("-mainThread", options.text("-mainThread"));
    require(main.size() == 1, "Config Error: -mainThread takes one processor.");
    settings.mainThread = main.front();
    settings.threads = parseCpuBindings("-threads", options.text("-threads"));
    require(settings.threads.size() <= 128, "Config Error: Too many threads specified.");
    settings.isServer = options.text("-appType") == "server";
    const ConnectionType type = connectionType("-connType", options.text("-connType"));
    require(!settings.isServer || !isMulticast(type), "appType for Multicast connections must be client");
    if (settings.isServer) readServer(options, type, settings);
    else readClient(options, type, settings);
    readMulticast(options, settings);
    readRates(options, settings);
    if (rowOf(type).sharedMemory) checkSharedMemory(settings);
    require(options.number("-writeStatsInterval") >= 1, "Config error: Write Stats Interval cannot be less than 1.");
    readFiles(options, settings);
    showUnits(options, settings);
    settings.testInputs = options.testInputs();
    return settings;
}

}  // namespace emissary::perf
