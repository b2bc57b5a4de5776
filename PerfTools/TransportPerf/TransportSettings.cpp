#include "TransportSettings.h"

#include <algorithm>
#include <unistd.h>

namespace emissary::perf {

namespace {

using namespace eta::transport;

void require(bool condition, const char* text) {
    if (!condition) throw OptionError(text);
}

[[nodiscard]] std::uint32_t small(const Options& options, std::string_view name) {
    return static_cast<std::uint32_t>(options.number(name));
}

[[nodiscard]] ConnectionType connectionType(std::string_view option, const std::string& text) {
    for (const ConnectionTypeRow& row : kConnectionTypes)
        if (!row.tool.empty() && text == row.tool) return row.type;
    throw OptionError("Config Error: " + std::string(option) + ": '" + text +
                      "' is not a kind of connection here; use socket, websocket, encrypted, reliableMCast, "
                      "seqMCast or shmem.");
}

[[nodiscard]] Compression compression(const std::string& text) {
    return text == "zlib" ? Compression::zlib : text == "lz4" ? Compression::lz4 : Compression::none;
}

void readChannel(const Options& options, ChannelOptions& channel) {
    channel.protocolType = kTransportPerfProtocol;
    channel.protocolMajor = channel.protocolMinor = 0;
    channel.guaranteedOutputBuffers = small(options, "-outputBufs");
    channel.numInputBuffers = small(options, "-inputBufs");
    channel.sysSendBufSize = small(options, "-sendBufSize");
    channel.sysRecvBufSize = small(options, "-recvBufSize");
    channel.highWaterMark = small(options, "-highWaterMark");
    channel.tcpNoDelay = !options.flag("-tcpDelay");
    channel.directWrite = options.flag("-directWrite");
    channel.busyRead = options.flag("-busyRead");
    channel.interfaceName = options.text("-if");
    channel.compression = compression(options.text("-compressionType"));
}

void readServer(const Options& options, ConnectionType type, BindOptions& bind) {
    readChannel(options, bind);
    bind.connectionType = type;
    checkPort(options, "-p");
    bind.port = options.text("-p");
    bind.maxFragmentSize = small(options, "-maxFragmentSize");
    bind.compressionLevel = static_cast<std::uint8_t>(options.number("-compressionLevel"));
    bind.forceCompression = options.given("-compressionType") && bind.compression != Compression::none;
    bind.tls.certificate = options.text("-cert");
    bind.tls.privateKey = options.text("-keyfile");
    require(!rowOf(type).encrypted || (!bind.tls.certificate.empty() && !bind.tls.privateKey.empty()),
            "Config Error: An encrypted server needs -cert and -keyfile.");
    bind.webSocket.protocols = options.text("-pl");
}

void readClient(const Options& options, ConnectionType type, ConnectOptions& connect) {
    readChannel(options, connect);
    connect.connectionType = type;
    if (options.given("-encryptedConnType"))
        connect.encryptedProtocol = connectionType("-encryptedConnType", options.text("-encryptedConnType"));
    require(connect.encryptedProtocol != ConnectionType::encrypted,
            "Config Error: -encryptedConnType: inside an encrypted connection goes socket or websocket.");
    connect.host = options.text("-h");
    checkPort(options, "-p", rowOf(type).sharedMemory ? PortUse::listen : PortUse::connect);
    connect.port = options.text("-p");
    connect.tls.caStore = options.text("-castore");
    connect.webSocket.protocols = options.text("-pl");
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
    o.receiveAddress = options.text("-ra");
    o.receivePort = options.text("-rp");
    o.sendAddress = options.text("-sa");
    o.sendPort = options.text("-sp");
    o.unicastPort = options.text("-u");
    const bool reliable = type == ConnectionType::reliableMulticast;
    const auto needed = [&](const char* name, std::string& value, bool always) {
        require(!value.empty() || !(always || reliable),
                ("Config Error: A multicast connection needs " + std::string(name) + ".").c_str());
    };
    needed("-ra", o.receiveAddress, true);
    needed("-rp", o.receivePort, true);
    needed("-sa", o.sendAddress, false);
    needed("-sp", o.sendPort, false);
    if (o.unicastPort.empty()) o.unicastPort = "0";
    require(settings.threads.size() == 1, "Config Error: A multicast test has one connection: use one thread.");
    require(options.text("-compressionType") == "none", "Config Error: Multicast does not compress.");
    settings.multicastStats = options.flag("-mcastStats");
}

void readRates(Options& options, TransportPerfSettings& settings) {
    require(options.number("-tickRate") >= 1, "Config Error: Tick rate cannot be less than 1.");
    settings.messageRate = small(options, "-msgRate");
    settings.latencyRate = options.rate("-latencyMsgRate");
    if (settings.messageRate == 0 && !options.given("-latencyMsgRate")) settings.latencyRate = 0;
    const auto above = [&](std::uint32_t limit) {
        return settings.latencyRate != kAllMessages && settings.latencyRate > std::int64_t{limit};
    };
    require(!above(settings.messageRate), "Config Error: Latency msg rate cannot be greater than total msg rate.");
    require(!above(settings.tickRate), "Config Error: Latency msg rate cannot be greater than total ticks per second.");
    require(settings.messageRate == 0 || settings.messageRate >= settings.tickRate,
            "Config Error: Update rate cannot be less than total ticks per second(unless it is zero).");
    settings.messageBytes = small(options, "-msgSize");
    settings.packCount = small(options, "-pack");
    settings.reflect = options.flag("-reflectMsgs");
    require(!settings.reflect || settings.packCount == 1, "Config Error: Reflection does not pack messages.");
    const std::uint32_t fragment = small(options, "-maxFragmentSize");
    require(settings.packCount == 1 || settings.messageBytes + 2 <= fragment,
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
    const auto buffer = [&](std::string_view name) {
        const std::int64_t bytes = options.number(name);
        options.showAs(name, bytes == 0 ? "0(use default)" : std::to_string(bytes) + " bytes");
    };
    buffer("-sendBufSize");
    buffer("-recvBufSize");
    options.showAs("-runTime", std::to_string(settings.runSeconds) + " sec");
    const std::string& type = options.text("-compressionType");
    options.showAs("-compressionType", type + (type == "zlib" ? "(1)" : type == "lz4" ? "(2)" : "(0)"));
    options.showAs("-tcpDelay", options.flag("-tcpDelay") ? "No" : "Yes");
    options.showAs("-noDisplayStats", settings.displayStats ? "Yes" : "No");
}

}  // namespace

TransportPerfSettings transportPerfSettings(Options& options) {
    TransportPerfSettings settings;
    options.store({.tool = &settings});
    settings.nanoTime = true;
    const auto main = parseCpuBindings("-mainThread", options.text("-mainThread"));
    require(main.size() == 1, "Config Error: -mainThread takes one processor.");
    settings.mainThread = main.front();
    settings.threads = parseCpuBindings("-threads", options.text("-threads"));
    require(settings.threads.size() <= 128, "Config Error: Too many threads specified.");
    settings.isServer = options.text("-appType") == "server";
    const ConnectionType type = connectionType("-connType", options.text("-connType"));
    require(!settings.isServer || !isMulticast(type), "appType for Multicast connections must be client");
    if (settings.isServer) readServer(options, type, settings.bind);
    else readClient(options, type, settings.connect);
    readMulticast(options, settings);
    readRates(options, settings);
    if (rowOf(type).sharedMemory) checkSharedMemory(settings);
    settings.runSeconds = small(options, "-runTime");
    settings.busyRead = options.flag("-busyRead");
    require(options.number("-writeStatsInterval") >= 1, "Config error: Write Stats Interval cannot be less than 1.");
    readFiles(options, settings);
    showUnits(options, settings);
    settings.testInputs = options.testInputs();
    return settings;
}

}  // namespace emissary::perf
