#include "access/channel_information.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;

namespace {

[[nodiscard]] EmaString text(std::string_view s) {
    return {s.data(), static_cast<UInt32>(s.size())};
}

}  // namespace

void fillChannelInformation(ChannelInformation& out, const eta::transport::ChannelInfo& info,
                            eta::transport::ChannelState state, std::string_view channelName) {
    std::string_view address = info.peerAddress;  // "ip:port"
    if (const auto colon = address.rfind(':'); colon != std::string_view::npos) address = address.substr(0, colon);
    out.clear();
    out.hostname(text(info.peerHost.empty() ? address : std::string_view(info.peerHost)))
        .ipAddress(text(address))
        .port(info.peerPort)
        .connectedComponentInfo(text(info.componentInfo))
        .channelState(static_cast<ChannelInformation::ChannelState>(state))
        .connectionType(static_cast<ChannelInformation::ConnectionType>(info.connectionType))
        .protocolType(info.protocolType == eta::transport::kProtocolJson ? ChannelInformation::RsslJsonEnum
                                                                         : ChannelInformation::RwfEnum)
        .majorVersion(info.majorVersion)
        .minorVersion(info.minorVersion)
        .pingTimeout(info.pingTimeoutSeconds)
        .maxFragmentSize(info.maxFragmentSize)
        .maxOutputBuffers(info.maxOutputBuffers)
        .guaranteedOutputBuffers(info.guaranteedOutputBuffers)
        .numInputBuffers(info.numInputBuffers)
        .sysSendBufSize(info.sysSendBufSize)
        .sysRecvBufSize(info.sysRecvBufSize)
        .compressionType(static_cast<UInt32>(info.compression))
        .compressionThreshold(info.compressionThreshold)
        .encryptionProtocol(info.tlsVersion)
        .name(text(channelName));
}

}  // namespace emissary::ema
