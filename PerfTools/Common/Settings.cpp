// Checks options against each other, and fills the settings of each tool.
#include "Settings.h"

#include <algorithm>

namespace emissary::perf {

namespace {

void require(bool condition, const char* text) {
    if (!condition) throw OptionError(text);
}

[[nodiscard]] bool above(std::int64_t latencyRate, std::uint32_t limit) {
    // "all" is as large as the rate itself, whatever that is.
    return latencyRate != kAllMessages && latencyRate > std::int64_t{limit};
}

// The processor texts of -apiThreads or -workerThreads: none, or as many as there are threads.
[[nodiscard]] std::vector<std::string> bindingTexts(const Options& options, std::string_view name, std::size_t threads,
                                                    const char* mismatch) {
    if (!options.given(name)) return {};
    const auto bindings = parseCpuBindings(name, options.text(name));
    require(bindings.size() == threads, mismatch);
    // The library parses the texts again (apiThreadBind()): here they are only checked, for a message with the option's
    // name.
    std::vector<std::string> texts;
    for (const CpuBinding& binding : bindings)
        texts.push_back(binding.text);
    return texts;
}

[[nodiscard]] ConnectionKind connectionKind(const std::string& text) {
    return text == "encrypted"       ? ConnectionKind::encrypted
           : text == "websocket"     ? ConnectionKind::webSocket
           : text == "shmem"         ? ConnectionKind::sharedMemory
           : text == "reliableMCast" ? ConnectionKind::reliableMulticast
                                     : ConnectionKind::socket;
}

// Comma separated names of WebSocket sub-protocols.
void checkProtocols(const std::string& list) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        std::string name = list.substr(begin, end - begin);
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (name != "rssl.json.v2" && name != "rssl.rwf" && name != "tr_json2")
            throw OptionError("Config Error: -pl: '" + name + "' is not one of rssl.json.v2, rssl.rwf, tr_json2.");
        begin = end + 1;
    }
}

void checkMulticast(const Options& options, const TransportSettings& transport) {
    const bool multicast = transport.kind == ConnectionKind::reliableMulticast;
    for (const char* name : {"-ra", "-rp", "-sa", "-sp", "-u", "-mcastStats"})
        require(multicast || !options.given(name),
                ("Config Error: " + std::string(name) + " is for -connType reliableMCast.").c_str());
    require(!multicast || (!options.given("-h") && !options.given("-p")),
            "Config Error: -h and -p do not go with -connType reliableMCast: its groups are -ra, -rp, -sa and -sp.");
    for (const char* name : {"-rp", "-sp"})
        require(!options.given(name) || options.text(name) != "0",
                ("Config Error: " + std::string(name) + ": '0' is no port of a multicast group.").c_str());
}

// What several options say together; the others are bound to their fields in the table.
void readTransport(const Options& options, TransportSettings& transport) {
    const auto present = [&](std::string_view name) {
        const bool given = options.given(name);
        transport.given = transport.given || given;
        return given;
    };
    const auto kind = [&](std::string_view name, std::optional<ConnectionKind>& value) {
        if (present(name)) value = connectionKind(options.text(name));
    };
    kind("-connType", transport.kind);
    const Tool tool = options.tool();
    if (tool != Tool::provider) kind("-encryptedConnType", transport.innerKind);
    if (tool != Tool::niProvider) {
        if (options.given("-pl")) checkProtocols(transport.webSocketProtocols);
        if (present("-compressionType")) {
            const std::string& type = options.text("-compressionType");
            // The numbers of CompressionType in EmaConfig.xml.
            transport.compression = static_cast<std::uint16_t>(type == "zlib" ? 1 : type == "lz4" ? 2 : 0);
        }
    }
    if (tool == Tool::consumer) {
        const bool tls12 = present("-spTLSv1.2");
        const bool tls13 = present("-spTLSv1.3");
        // Bits of SecurityProtocol: 4 is TLS 1.2, 8 is TLS 1.3.
        if (tls12 || tls13) transport.tlsVersions = (tls12 ? 4U : 0U) + (tls13 ? 8U : 0U);
    }
    if (tool == Tool::niProvider) checkMulticast(options, transport);
}

// -websocket chooses other sections, or with -consumerName the connection of that section.
void readWebSocket(const Options& options, ConsumerSettings& settings) {
    if (!options.given("-websocket")) return;
    const std::string& protocol = options.text("-websocket");
    TransportSettings& transport = settings.transport;
    require(!options.given("-pl"), "Config Error: -websocket names the sub-protocol; leave -pl out.");
    require(transport.kind != ConnectionKind::socket, "Config Error: -websocket does not go with -connType socket.");
    require(!options.given("-encryptedConnType") || transport.innerKind == ConnectionKind::webSocket,
            "Config Error: -websocket does not go with -encryptedConnType socket.");
    if (!settings.consumerNameGiven) {
        settings.consumerName = protocol == "rssl.rwf" ? "Perf_Consumer_WSRWF_" : "Perf_Consumer_WSJSON_";
        if (!transport.kind) return;  // the section has the rest
    }
    if (transport.kind == ConnectionKind::encrypted) transport.innerKind = ConnectionKind::webSocket;
    else transport.kind = ConnectionKind::webSocket;
    transport.webSocketProtocols = protocol;
    transport.given = true;
}

void readWarmStandby(const Options& options, WarmStandbySettings& settings) {
    const auto names = {"-startingHostName", "-startingPort", "-standbyHostName", "-standbyPort"};
    const auto given = [&](const char* name) { return options.given(name); };
    settings.given = options.given("-warmStandbyMode") || std::any_of(names.begin(), names.end(), given);
    if (!settings.given) return;
    require(std::all_of(names.begin(), names.end(), given),
            "Config Error: A warm standby pair needs -startingHostName, -startingPort, -standbyHostName and "
            "-standbyPort.");
    require(!options.given("-h") && !options.given("-p"),
            "Config Error: -h and -p name one provider; with a warm standby pair leave them out.");
    checkPort(options, "-startingPort", PortUse::connect);
    checkPort(options, "-standbyPort", PortUse::connect);
    settings.serviceBased = options.text("-warmStandbyMode") == "service";
}

void checkTunnel(const Options& options, const ConsumerSettings& settings) {
    for (const char* name : {"-tunnelAuth", "-tunnelStreamBuffersUsed", "-tunnelStreamOutputBufs"})
        require(settings.tunnel.wanted || !options.given(name),
                ("Config Error: " + std::string(name) + " is for -tunnel.").c_str());
    if (!settings.tunnel.wanted) return;
    require(!settings.warmStandby.given,
            "Config Error: -tunnel does not go with a warm standby pair: a tunnel stream ends with its connection.");
    const std::string& offered = settings.transport.webSocketProtocols;
    require(options.text("-websocket") != "rssl.json.v2" &&
                (offered.empty() || offered.find("rssl.rwf") != std::string::npos),
            "Config Error: -tunnel needs a connection that carries RWF: use rssl.rwf with -websocket or -pl.");
}

void readGeneric(Options& options, CommonSettings& settings) {
    // Each tick sends at least one message; a smaller rate would leave ticks empty and the schedule uneven.
    require(settings.genericRate == 0 || settings.genericRate >= settings.tickRate,
            "Config Error: Generic Message Rate cannot be less than tick rate(unless it is zero).");
    require(!above(settings.genericLatencyRate, settings.genericRate),
            "Config Error: Latency Generic Message Rate cannot be greater than total generic message rate.");
    require(!above(settings.genericLatencyRate, settings.tickRate),
            "Config Error: Latency Generic Message Rate cannot be greater than tick rate.");
    if (settings.genericLatencyRate == kAllMessages)
        options.showAs("-genericMsgLatencyRate", std::to_string(settings.genericRate));
}

void readCommon(Options& options, CommonSettings& settings) {
    const auto main = parseCpuBindings("-mainThread", options.text("-mainThread"));
    require(main.size() == 1, "Config Error: -mainThread takes one processor.");
    settings.mainThread = main.front();
    settings.threads = parseCpuBindings("-threads", options.text("-threads"));
    require(settings.threads.size() <= kMaxThreads, "Config Error: Too many threads specified.");
    settings.apiThreads = bindingTexts(options, "-apiThreads", settings.threads.size(),
                                       "Config Error: thread count not equal to api thread count.");
    require(!settings.userDispatch || settings.apiThreads.empty(),
            "Config Error: -apiThreads has no meaning with -useUserDispatch 1.");
    settings.workerThreads = bindingTexts(options, "-workerThreads", settings.threads.size(),
                                          "Config Error: thread count not equal to worker thread count.");

    require(options.number("-tickRate") >= 1, "Config Error: Tick rate cannot be less than 1.");
    require(options.number("-writeStatsInterval") >= 1, "Config error: Write Stats Interval cannot be less than 1.");

    if (options.tool() != Tool::niProvider) readGeneric(options, settings);
    readTransport(options, settings.transport);
}

// "h:p" as the API wants it; empty when neither was given.
[[nodiscard]] std::string hostAndPort(const Options& options) {
    checkPort(options, "-p", PortUse::connect);
    if (!options.given("-h") && !options.given("-p")) return {};
    std::string host = options.text("-h") + ":" + options.text("-p");
    // The API fills in what is missing on either side of the colon: the configured default host, or its port.
    if (host.ends_with(':')) host.pop_back();
    return host;
}

void checkCommonItems(std::uint32_t itemCount, std::uint32_t commonItemCount, std::size_t threads) {
    const auto perThread = static_cast<std::uint32_t>(itemCount / threads);
    if (commonItemCount > perThread)
        throw OptionError("Config Error: Common item count (" + std::to_string(commonItemCount) +
                          ") is greater than total item count per thread (" + std::to_string(perThread) + ").");
}

void readPublishing(Options& options, PublishingSettings& settings) {
    settings.providerNameGiven = options.given("-providerName");

    // A latency rate that was not given becomes zero with an update rate of zero.
    if (settings.updateRate == 0 && !options.given("-latencyUpdateRate")) {
        settings.updateLatencyRate = 0;
        options.showAs("-latencyUpdateRate", "0");
    }
    require(!above(settings.updateLatencyRate, settings.updateRate),
            "Config Error: Latency update rate cannot be greater than total update rate.");
    require(!above(settings.updateLatencyRate, settings.tickRate),
            "Config Error: Latency update rate cannot be greater than total ticks per second.");
    require(settings.updateRate == 0 || settings.updateRate >= settings.tickRate,
            "Config Error: Update rate cannot be less than total ticks per second (unless it is zero).");
    require(!settings.preEncode || settings.updateLatencyRate != kAllMessages,
            "Config Error: -preEnc has no effect when always sending latency update, since it must be encoded.");
    require(!settings.measureEncode || settings.updateLatencyRate != 0 || settings.genericLatencyRate != 0,
            "Config Error: Measuring message encoding time when latency update rate is zero. "
            "Use -latencyUpdateRate or -genericMsgLatencyRate.");
    if (settings.updateLatencyRate == kAllMessages)
        options.showAs("-latencyUpdateRate", std::to_string(settings.updateRate));
    options.showAs("-noDisplayStats", settings.displayStats ? "Yes" : "No");
    options.showAs("-providerName", sectionName(settings.providerName, settings.providerNameGiven, 1));
}

}  // namespace

ConsumerSettings consumerSettings(Options& options) {
    ConsumerSettings settings;
    options.store({.tool = &settings, .common = &settings, .consumer = &settings});
    readCommon(options, settings);
    settings.consumerNameGiven = options.given("-consumerName");
    readWebSocket(options, settings);
    readWarmStandby(options, settings.warmStandby);
    checkTunnel(options, settings);
    settings.host = hostAndPort(options);
    require(!settings.busyRead || settings.userDispatch, "Config Error: -busyRead needs -useUserDispatch 1.");

    require(options.number("-requestRate") >= std::int64_t{settings.tickRate},
            "Config Error: Item Request Rate cannot be less than tick rate.");
    require(settings.postRate == 0 || settings.postRate >= settings.tickRate,
            "Config Error: Post Rate cannot be less than tick rate(unless it is zero).");
    require(!above(settings.postLatencyRate, settings.postRate),
            "Config Error: Latency Post Rate cannot be greater than total posting rate.");
    require(!above(settings.postLatencyRate, settings.tickRate),
            "Config Error: Latency Post Rate cannot be greater than tick rate.");
    require(!settings.snapshot || settings.postRate == 0,
            "Config Error: Configured to post while requesting snapshots.");
    require(!settings.snapshot || settings.genericRate == 0,
            "Config Error: Configured to send generic messages while requesting snapshots.");
    if (settings.postLatencyRate == kAllMessages)
        options.showAs("-postingLatencyRate", std::to_string(settings.postRate));

    checkCommonItems(settings.itemCount, settings.commonItemCount, settings.threads.size());

    const std::int64_t delayMs = options.number("-delaySteadyStateCalc");
    require(delayMs >= 0 && delayMs <= 30'000 && delayMs <= std::int64_t{settings.steadyStateSeconds} * 1000,
            "Config Error: Time before the latency is calculated should be less than Steady State Time.");
    settings.testInputs = options.testInputs();
    return settings;
}

ProviderSettings providerSettings(Options& options) {
    ProviderSettings settings;
    options.store({.tool = &settings, .common = &settings, .publishing = &settings, .provider = &settings});
    readCommon(options, settings);
    readPublishing(options, settings);
    checkPort(options, "-p");
    settings.service.given =
        options.given("-serviceName") || options.given("-serviceId") || options.given("-openLimit");
    settings.service.pricePoints = settings.bookOrders != 0;
    settings.testInputs = options.testInputs();
    return settings;
}

NiProviderSettings niProviderSettings(Options& options) {
    NiProviderSettings settings;
    options.store({.tool = &settings, .common = &settings, .publishing = &settings, .niProvider = &settings});
    readCommon(options, settings);
    readPublishing(options, settings);
    settings.host = hostAndPort(options);
    checkCommonItems(settings.itemCount, settings.commonItemCount, settings.threads.size());
    settings.testInputs = options.testInputs();
    return settings;
}

std::string sectionName(const std::string& name, bool given, std::size_t number) {
    return given && number == 1 ? name : name + std::to_string(number);
}

ItemShare itemShare(std::uint32_t itemCount, std::uint32_t commonCount, std::size_t threads, std::size_t index) {
    const auto each = static_cast<std::uint32_t>(itemCount / threads);
    // The first threads take one more each, and the shares follow each other in the list without gaps.
    const auto more = static_cast<std::uint32_t>(itemCount % threads);
    const auto position = static_cast<std::uint32_t>(index);
    const std::uint32_t common = std::min(commonCount, each);  // the validation lets no more through
    const std::uint32_t own = each - common;
    return {.common = common,
            .first = common + position * own + std::min(position, more),
            .own = own + (position < more ? 1U : 0U)};
}

}  // namespace emissary::perf
