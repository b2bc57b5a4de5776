// Builds the programmatic maps of channels, servers and directories from the options.
#include "EmaTransport.h"

#include "emissary/EffectiveConfiguration.h"

#include <algorithm>
#include <string_view>

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

// Adds the entry `name` of a group: Map -> group -> list -> entry.
void addEntry(Map& map, const char* group, const char* list, const std::string& name, ElementList& parameters) {
    parameters.complete();
    Map entries;
    entries.addKeyAscii(name.c_str(), MapEntry::AddEnum, parameters).complete();
    ElementList lists;
    lists.addMap(list, entries).complete();
    map.addKeyAscii(group, MapEntry::AddEnum, lists);
}

void addNumber(ElementList& list, const char* name, const std::optional<std::uint32_t>& value) {
    if (value) list.addUInt(name, *value);
}

void addText(ElementList& list, const char* name, const std::string& value) {
    if (!value.empty()) list.addAscii(name, value.c_str());
}

void addKind(ElementList& list, const char* name, const std::optional<ConnectionKind>& kind) {
    if (kind) list.addEnum(name, static_cast<UInt16>(*kind));
}

void addCommon(ElementList& list, const TransportSettings& transport) {
    addNumber(list, "GuaranteedOutputBuffers", transport.outputBuffers);
    addNumber(list, "MaxOutputBuffers", transport.maxOutputBuffers);
    addNumber(list, "NumInputBuffers", transport.inputBuffers);
    addNumber(list, "SysSendBufSize", transport.sendBufferBytes);
    addNumber(list, "SysRecvBufSize", transport.receiveBufferBytes);
    addNumber(list, "HighWaterMark", transport.highWaterMark);
    if (transport.compression) list.addEnum("CompressionType", *transport.compression);
    // The option is "delay", the parameter "no delay": 0 turns Nagle's algorithm on.
    if (transport.tcpDelay) list.addUInt("TcpNodelay", 0);
    if (transport.directWrite) list.addUInt("DirectWrite", 1);
    addText(list, "InterfaceName", transport.interfaceName);
    addText(list, "WsProtocols", transport.webSocketProtocols);
}

void addClientSide(ElementList& list, const TransportSettings& transport) {
    addCommon(list, transport);
    addKind(list, "ChannelType", transport.kind);
    addKind(list, "EncryptedProtocolType", transport.innerKind);
    addText(list, "OpenSSLCAStore", transport.caStore);
    addNumber(list, "SecurityProtocol", transport.tlsVersions);
    addText(list, "RecvAddress", transport.receiveAddress);
    addText(list, "RecvPort", transport.receivePort);
    addText(list, "SendAddress", transport.sendAddress);
    addText(list, "SendPort", transport.sendPort);
    addText(list, "UnicastPort", transport.unicastPort);
}

void addServerSide(ElementList& list, const TransportSettings& transport) {
    addCommon(list, transport);
    addKind(list, "ServerType", transport.kind);
    addNumber(list, "MaxFragmentSize", transport.maxFragmentBytes);
    addNumber(list, "CompressionLevel", transport.compressionLevel);
    addText(list, "ServerCert", transport.certificate);
    addText(list, "ServerPrivateKey", transport.privateKey);
    addText(list, "CipherSuite", transport.cipherSuite);
}

// The section's name with the word for its kind replaced.
[[nodiscard]] std::string channelName(const std::string& section, std::string_view kind, std::string_view channel) {
    std::string name = section;
    if (const std::size_t at = name.find(kind); at != std::string::npos) name.replace(at, kind.size(), channel);
    return name;
}

// The entries of one kind that a configured instance uses, in order; none for an instance that is not configured at
// all: creating it reports that.
template <class Config>
[[nodiscard]] std::optional<std::vector<std::string>> entriesOf(const Config& config, std::string_view kind) {
    try {
        std::vector<std::string> entries;
        for (const EffectiveValue& value : effectiveConfiguration(config).values)
            if (value.section == kind && !value.entry.empty() &&
                std::find(entries.begin(), entries.end(), value.entry) == entries.end())
                entries.push_back(value.entry);
        return entries;
    } catch (const OmmException&) { return std::nullopt; }
}

// "host:port" of every channel; where there is no host (multicast), the channel's name.
template <class Config>
[[nodiscard]] std::string targetsOf(const Config& config) {
    std::string targets;
    try {
        std::string entry, host;
        // Host comes before Port in the list of values in effect; a channel of groups has a Port entry and no host.
        for (const EffectiveValue& value : effectiveConfiguration(config).values) {
            if (value.section != "Channel") continue;
            if (value.parameter == "Host") host = value.value;
            if (value.parameter != "Port") continue;
            targets += (targets.empty() ? "" : ", ") + (host.empty() ? value.entry : host + ":" + value.value);
            host.clear();
        }
    } catch (const OmmException&) {
        return {};  // the attempt to connect reports why
    }
    return targets;
}

// Lays the options over every channel that the section uses; a section without one is given `otherwise`.
template <class Config>
void addChannel(Config& config, const char* group, const char* list, const std::string& section,
                const std::string& otherwise, const TransportSettings& transport) {
    auto channels = entriesOf(config, "Channel");
    if (!channels) return;
    Map map;
    if (channels->empty()) {
        ElementList instance;
        instance.addAscii("Channel", otherwise.c_str());
        addEntry(map, group, list, section, instance);
        channels->push_back(otherwise);
    }
    for (const std::string& entry : *channels) {
        ElementList channel;
        addClientSide(channel, transport);
        addEntry(map, "ChannelGroup", "ChannelList", entry, channel);
    }
    map.complete();
    config.config(map);
}

// One end of a warm standby pair: a channel, and the entry that makes it one of the servers.
void addServerOfPair(Map& map, const std::string& channel, const std::string& server, const std::string& host,
                     const std::string& port, const TransportSettings& transport, const std::string& activeService) {
    ElementList parameters;
    // The values of the shipped channels: the standby's channel is not in the file.
    if (!transport.outputBuffers) parameters.addUInt("GuaranteedOutputBuffers", 5000);
    if (!transport.inputBuffers) parameters.addUInt("NumInputBuffers", 2048);
    addClientSide(parameters, transport);
    parameters.addAscii("Host", host.c_str()).addAscii("Port", port.c_str());
    addEntry(map, "ChannelGroup", "ChannelList", channel, parameters);
    ElementList info;
    info.addAscii("Channel", channel.c_str());
    addText(info, "PerServiceNameSet", activeService);
    addEntry(map, "WarmStandbyServerInfoGroup", "WarmStandbyServerInfoList", server, info);
}

template <class Config>
void addInstanceNumber(Config& config, const char* group, const char* list, const std::string& section,
                       const char* parameter, const std::optional<std::int32_t>& value) {
    if (!value) return;
    ElementList instance;
    instance.addInt(parameter, *value);
    Map map;
    addEntry(map, group, list, section, instance);
    map.complete();
    config.config(map);
}

void addDirectory(Map& map, const ServiceSettings& service) {
    OmmArray capabilities;
    capabilities.addUInt(refinitiv::ema::rdm::MMT_DICTIONARY)
        .addUInt(refinitiv::ema::rdm::MMT_MARKET_PRICE)
        .addUInt(refinitiv::ema::rdm::MMT_MARKET_BY_ORDER);
    if (service.pricePoints) capabilities.addUInt(refinitiv::ema::rdm::MMT_MARKET_BY_PRICE);
    capabilities.complete();
    OmmArray dictionaries;
    dictionaries.addAscii("Dictionary_1").complete();
    ElementList info;
    info.addUInt("ServiceId", service.id)
        .addUInt("IsSource", 1)
        .addUInt("SupportsQoSRange", 1)
        .addArray("Capabilities", capabilities)
        .addArray("DictionariesProvided", dictionaries)
        .addArray("DictionariesUsed", dictionaries)
        .complete();
    ElementList state;
    state.addUInt("ServiceState", 1).addUInt("AcceptingRequests", 1).complete();
    ElementList load;
    load.addUInt("OpenLimit", service.openLimit).complete();
    ElementList filters;
    filters.addElementList("InfoFilter", info)
        .addElementList("StateFilter", state)
        .addElementList("LoadFilter", load)
        .complete();
    Map services;
    services.addKeyAscii(service.name.c_str(), MapEntry::AddEnum, filters).complete();
    Map directories;
    directories.addKeyAscii("Perf_Directory_CommandLine", MapEntry::AddEnum, services).complete();
    ElementList group;
    group.addMap("DirectoryList", directories).complete();
    map.addKeyAscii("DirectoryGroup", MapEntry::AddEnum, group);
}

// `setName` is the configuration's function that chooses a section.
template <class Config, class SetName>
[[nodiscard]] std::string choose(Config& config, SetName setName, const std::string& name, bool given,
                                 std::size_t number) {
    std::string section = sectionName(name, given, number);
    try {
        setName(section.c_str());
        if (number == 1 || entriesOf(config, "")) return section;
    } catch (const OmmException&) {
        if (number == 1) throw;
    }
    section = sectionName(name, given, 1);
    setName(section.c_str());
    return section;
}

}  // namespace

std::string chooseSection(OmmConsumerConfig& config, const std::string& name, bool given, std::size_t number) {
    return choose(
        config, [&config](const char* s) { config.consumerName(s); }, name, given, number);
}

std::string chooseSection(OmmIProviderConfig& config, const std::string& name, bool given, std::size_t number) {
    return choose(
        config, [&config](const char* s) { config.providerName(s); }, name, given, number);
}

std::string chooseSection(OmmNiProviderConfig& config, const std::string& name, bool given, std::size_t number) {
    return choose(
        config, [&config](const char* s) { config.providerName(s); }, name, given, number);
}

void addBusyPoll(OmmConsumerConfig& config, const std::string& section, const std::optional<std::int32_t>& us) {
    addInstanceNumber(config, "ConsumerGroup", "ConsumerList", section, "BusyPoll", us);
}

void addBusyPoll(OmmIProviderConfig& config, const std::string& section, const std::optional<std::int32_t>& us) {
    addInstanceNumber(config, "IProviderGroup", "IProviderList", section, "BusyPoll", us);
}

void addBusyPoll(OmmNiProviderConfig& config, const std::string& section, const std::optional<std::int32_t>& us) {
    addInstanceNumber(config, "NiProviderGroup", "NiProviderList", section, "BusyPoll", us);
}

void addLoginLimit(OmmConsumerConfig& config, const std::string& section, std::uint32_t runSeconds) {
    // Half a second less than the run: the reason for the failed login is then printed before the run is over.
    static constexpr std::uint32_t kShippedSeconds = 3;  // of EmaConfig.xml
    if (runSeconds == 0 || runSeconds > kShippedSeconds) return;
    ElementList instance;
    instance.addUInt("LoginRequestTimeOut", std::uint64_t{runSeconds} * 1000 - 500);
    Map map;
    addEntry(map, "ConsumerGroup", "ConsumerList", section, instance);
    map.complete();
    config.config(map);
}

std::string connectTarget(const OmmConsumerConfig& config) {
    return targetsOf(config);
}

std::string connectTarget(const OmmNiProviderConfig& config) {
    return targetsOf(config);
}

void addChannelSettings(OmmConsumerConfig& config, const std::string& section, const TransportSettings& transport) {
    if (transport.given)
        addChannel(config, "ConsumerGroup", "ConsumerList", section, channelName(section, "Consumer", "Channel"),
                   transport);
}

void addWarmStandby(OmmConsumerConfig& config, const std::string& section, const TransportSettings& transport,
                    const WarmStandbySettings& pair, const std::string& service) {
    if (!pair.given) return;
    const std::string channel = channelName(section, "Consumer", "Channel");
    const std::string starting = channel + "_Starting";
    const std::string standby = channel + "_Standby";
    const std::string group = channel + "_WarmStandby";
    Map map;
    ElementList instance;
    instance.addAscii("Channel", starting.c_str()).addAscii("WarmStandbyChannelSet", group.c_str());
    addEntry(map, "ConsumerGroup", "ConsumerList", section, instance);
    addServerOfPair(map, starting, starting, pair.startingHost, pair.startingPort, transport,
                    pair.serviceBased ? service : std::string());
    addServerOfPair(map, standby, standby, pair.standbyHost, pair.standbyPort, transport, {});
    ElementList members;
    members.addAscii("StartingActiveServer", starting.c_str())
        .addAscii("StandbyServerSet", standby.c_str())
        .addEnum("WarmStandbyMode", pair.serviceBased ? 2 : 1);
    addEntry(map, "WarmStandbyGroup", "WarmStandbyList", group, members);
    map.complete();
    config.config(map);
}

void addChannelSettings(OmmNiProviderConfig& config, const std::string& section, const TransportSettings& transport) {
    if (!transport.given) return;
    const std::string_view kind = section.find("NIPProvider") != std::string::npos ? "NIPProvider" : "NIProvider";
    addChannel(config, "NiProviderGroup", "NiProviderList", section, channelName(section, kind, "NIP_Channel"),
               transport);
}

void addServerSettings(OmmIProviderConfig& config, const std::string& section, const TransportSettings& transport,
                       const ServiceSettings& service, const std::string& sharedWith) {
    const bool listens = transport.given || !sharedWith.empty();
    if (!listens && !service.given) return;
    OmmIProviderConfig first;  // of several threads: they share its server
    if (!sharedWith.empty()) first.providerName(sharedWith.c_str());
    const auto servers = entriesOf(sharedWith.empty() ? config : first, "Server");
    if (!servers) return;
    const std::string server = servers->empty() ? "Perf_Server_1" : servers->front();
    Map map;
    ElementList provider;
    if (listens) provider.addAscii("Server", server.c_str());
    if (service.given) provider.addAscii("Directory", "Perf_Directory_CommandLine");
    addEntry(map, "IProviderGroup", "IProviderList", section, provider);
    if (listens) {
        ElementList parameters;
        addServerSide(parameters, transport);
        if (!sharedWith.empty()) parameters.addUInt("ServerSharedSocket", 1);
        addEntry(map, "ServerGroup", "ServerList", server, parameters);
    }
    if (service.given) addDirectory(map, service);
    map.complete();
    config.config(map);
}

}  // namespace emissary::perf
