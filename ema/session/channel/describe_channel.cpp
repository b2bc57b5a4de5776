// Fills ChannelInformation from the transport, changes options of a channel, and finds those that can never connect.
#include "session/channel/describe_channel.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/refusals.h"

#include <mutex>
#include <string>

namespace emissary::ema {

using namespace refinitiv::ema::access;

namespace {

[[nodiscard]] EmaString text(std::string_view s) {
    return {s.data(), static_cast<UInt32>(s.size())};
}

}  // namespace

void fillChannelInformation(ChannelInformation& out, const eta::transport::ChannelInfo& info,
                            eta::transport::ChannelState state, std::string_view channelName) {
    // A peer whose name is not known shows its address in that place.
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

void changeOption(eta::transport::Channel& channel, Int32 code, Int32 value) {
    using Code = OmmInvalidUsageException;
    if (value < 0) throwInvalidUsage("modifyIOCtl() takes no negative value.", Code::InvalidArgumentEnum);
    eta::Error e;
    {
        // The session lock does not keep the worker out, which flushes and pings under this one.
        const std::lock_guard output(channel.outputLock());
        e = channel.setOption(code, static_cast<std::uint32_t>(value));
    }
    if (e.ok()) return;
    throwOptionRefusal(
        code, {.call = "modifyIOCtl(" + std::to_string(code) + ", " + std::to_string(value) + ")", .error = e});
}

std::string unusableChannel(const std::vector<ChannelSettings>& channels) {
    for (const ChannelSettings& c : channels) {
        const eta::Refused refused = eta::transport::checkConnect(c.connect);
        if (!refused) continue;
        return "Channel \"" + c.name + "\" can never connect: " + refused.text +
               ". Correct the channel's configuration; no attempt was made.";
    }
    return {};
}

}  // namespace emissary::ema
