// Getters, setters and text of ChannelInformation, with the names of states, protocols and compressions.
#include "Access/Include/ChannelInformation.h"

#include "Access/Include/PreferredHostInfo.h"
#include "eta/core/printable.h"
#include "eta/transport/connection_types.h"

namespace emissary::ema {

/// Plain values; the text is made when it is asked for.
struct ChannelInformationImpl {
    using Public = refinitiv::ema::access::ChannelInformation;
    using EmaString = refinitiv::ema::access::EmaString;
    using UInt16 = refinitiv::ema::access::UInt16;
    using UInt32 = refinitiv::ema::access::UInt32;
    using UInt64 = refinitiv::ema::access::UInt64;

    EmaString connectedComponentInfo, hostname, ipAddress, name, sessionName;
    UInt16 port = 0;
    Public::ChannelState channelState = Public::InactiveEnum;
    Public::ConnectionType connectionType = Public::Unidentified;
    Public::ProtocolType protocolType = Public::UnknownEnum;
    // The ping time-out in seconds; fragment, buffer sizes and threshold in bytes.
    UInt32 majorVersion = 0, minorVersion = 0, pingTimeout = 0;
    UInt32 maxFragmentSize = 0, maxOutputBuffers = 0, guaranteedOutputBuffers = 0, numInputBuffers = 0;
    UInt32 sysSendBufSize = 0, sysRecvBufSize = 0, compressionThreshold = 0;
    Public::CompressionType compressionType = Public::NoneEnum;
    UInt64 encryptionProtocol = 0;
    refinitiv::ema::access::PreferredHostInfo preferredHost;
    bool hasPreferredHost = false;
    EmaString text;
};

}  // namespace emissary::ema

namespace refinitiv::ema::access {

using emissary::ema::ChannelInformationImpl;

namespace {

// Words of toString() (ema-api.md): programs print them, some compare them.
const char* stateName(ChannelInformation::ChannelState state) {
    switch (state) {
    case ChannelInformation::ClosedEnum:
        return "closed";
    case ChannelInformation::InactiveEnum:
        return "inactive";
    case ChannelInformation::InitializingEnum:
        return "initializing";
    case ChannelInformation::ActiveEnum:
        return "active";
    }
    return "unknown";
}

const char* connectionName(ChannelInformation::ConnectionType type) {
    if (type == ChannelInformation::HttpEnum) return "http";
    if (type == ChannelInformation::Ext_Line_SocketEnum) return "extended line socket";
    const auto* const row = emissary::eta::transport::findConnectionType(type);
    return row != nullptr ? row->tool.data() : "unknown";  // a literal
}

const char* protocolName(ChannelInformation::ProtocolType type) {
    switch (type) {
    case ChannelInformation::RwfEnum:
        return "Refinitiv wire format";
    case ChannelInformation::RsslJsonEnum:
        return "Rssl JSON format";
    case ChannelInformation::UnknownEnum:
        break;
    }
    return "unknown wire format";
}

const char* compressionName(ChannelInformation::CompressionType type) {
    switch (type) {
    case ChannelInformation::ZLIBEnum:
        return "ZLIB";
    case ChannelInformation::LZ4Enum:
        return "LZ4";
    case ChannelInformation::NoneEnum:
        break;
    }
    return "none";
}

/// The first line stands alone, the others are indented below it.
class Lines {
public:
    explicit Lines(EmaString& out) : out_(out) { out_.clear(); }
    void add(const char* key, const EmaString& value) {
        start(key).append(emissary::eta::printable({value.c_str(), value.length()}).c_str());
    }
    void add(const char* key, const char* value) { start(key).append(value); }
    void add(const char* key, UInt64 value) { start(key).append(value); }

private:
    EmaString& start(const char* key) {
        if (!out_.empty()) out_.append("\n\t");
        return out_.append(key).append(": ");
    }
    EmaString& out_;
};

}  // namespace

ChannelInformation::ChannelInformation() : impl_(std::make_unique<ChannelInformationImpl>()) {}
ChannelInformation::ChannelInformation(const EmaString& connectedComponentInfo, const EmaString& hostname,
                                       const EmaString& ipAddress, const ChannelState channelState,
                                       const ConnectionType connectionType, const ProtocolType protocolType,
                                       const UInt32 majorVersion, const UInt32 minorVersion, const UInt32 pingTimeout)
    : ChannelInformation() {
    impl_->connectedComponentInfo = connectedComponentInfo;
    impl_->hostname = hostname;
    impl_->ipAddress = ipAddress;
    impl_->channelState = channelState;
    impl_->connectionType = connectionType;
    impl_->protocolType = protocolType;
    impl_->majorVersion = majorVersion;
    impl_->minorVersion = minorVersion;
    impl_->pingTimeout = pingTimeout;
}
ChannelInformation::ChannelInformation(const ChannelInformation& other)
    : impl_(std::make_unique<ChannelInformationImpl>(*other.impl_)) {}
ChannelInformation& ChannelInformation::operator=(const ChannelInformation& other) {
    if (this != &other) *impl_ = *other.impl_;
    return *this;
}
ChannelInformation::~ChannelInformation() = default;

void ChannelInformation::clear() {
    *impl_ = ChannelInformationImpl();
}

const EmaString& ChannelInformation::getHostname() const {
    return impl_->hostname;
}
const EmaString& ChannelInformation::getIPaddress() const {
    return impl_->ipAddress;
}
const EmaString& ChannelInformation::getConnectedComponentInfo() const {
    return impl_->connectedComponentInfo;
}
UInt16 ChannelInformation::port() const {
    return impl_->port;
}
ChannelInformation::ChannelState ChannelInformation::getChannelState() const {
    return impl_->channelState;
}
ChannelInformation::ConnectionType ChannelInformation::getConnectionType() const {
    return impl_->connectionType;
}
ChannelInformation::ProtocolType ChannelInformation::getProtocolType() const {
    return impl_->protocolType;
}
UInt32 ChannelInformation::getMajorVersion() const {
    return impl_->majorVersion;
}
UInt32 ChannelInformation::getMinorVersion() const {
    return impl_->minorVersion;
}
UInt32 ChannelInformation::getPingTimeout() const {
    return impl_->pingTimeout;
}
UInt32 ChannelInformation::getMaxFragmentSize() const {
    return impl_->maxFragmentSize;
}
UInt32 ChannelInformation::getMaxOutputBuffers() const {
    return impl_->maxOutputBuffers;
}
UInt32 ChannelInformation::getGuaranteedOutputBuffers() const {
    return impl_->guaranteedOutputBuffers;
}
UInt32 ChannelInformation::getNumInputBuffers() const {
    return impl_->numInputBuffers;
}
UInt32 ChannelInformation::getSysSendBufSize() const {
    return impl_->sysSendBufSize;
}
UInt32 ChannelInformation::getSysRecvBufSize() const {
    return impl_->sysRecvBufSize;
}
UInt32 ChannelInformation::getCompressionThreshold() const {
    return impl_->compressionThreshold;
}
UInt64 ChannelInformation::getEncryptionProtocol() const {
    return impl_->encryptionProtocol;
}
ChannelInformation::CompressionType ChannelInformation::getCompressionType() const {
    return impl_->compressionType;
}
EmaString ChannelInformation::getName() const {
    return impl_->name;
}
EmaString ChannelInformation::getSessionName() const {
    return impl_->sessionName;
}
const PreferredHostInfo& ChannelInformation::getPreferredHostInfo() const {
    return impl_->preferredHost;
}

ChannelInformation& ChannelInformation::preferredHostInfo(const PreferredHostInfo& info) {
    impl_->preferredHost = info;
    impl_->hasPreferredHost = true;
    return *this;
}
ChannelInformation& ChannelInformation::hostname(const EmaString& hostname) {
    impl_->hostname = hostname;
    return *this;
}
ChannelInformation& ChannelInformation::ipAddress(const EmaString& ipAddress) {
    impl_->ipAddress = ipAddress;
    return *this;
}
ChannelInformation& ChannelInformation::connectedComponentInfo(const EmaString& connectedComponentInfo) {
    impl_->connectedComponentInfo = connectedComponentInfo;
    return *this;
}
ChannelInformation& ChannelInformation::name(const EmaString& name) {
    impl_->name = name;
    return *this;
}
ChannelInformation& ChannelInformation::sessionName(const EmaString& sessionName) {
    impl_->sessionName = sessionName;
    return *this;
}
ChannelInformation& ChannelInformation::port(const UInt16 port) {
    impl_->port = port;
    return *this;
}
ChannelInformation& ChannelInformation::channelState(ChannelState channelState) {
    impl_->channelState = channelState;
    return *this;
}
ChannelInformation& ChannelInformation::connectionType(ConnectionType connectionType) {
    impl_->connectionType = connectionType;
    return *this;
}
ChannelInformation& ChannelInformation::protocolType(ProtocolType protocolType) {
    impl_->protocolType = protocolType;
    return *this;
}
ChannelInformation& ChannelInformation::majorVersion(UInt32 majorVersion) {
    impl_->majorVersion = majorVersion;
    return *this;
}
ChannelInformation& ChannelInformation::minorVersion(UInt32 minorVersion) {
    impl_->minorVersion = minorVersion;
    return *this;
}
ChannelInformation& ChannelInformation::pingTimeout(UInt32 pingTimeout) {
    impl_->pingTimeout = pingTimeout;
    return *this;
}
ChannelInformation& ChannelInformation::maxFragmentSize(UInt32 maxFragmentSize) {
    impl_->maxFragmentSize = maxFragmentSize;
    return *this;
}
ChannelInformation& ChannelInformation::maxOutputBuffers(UInt32 maxOutputBuffers) {
    impl_->maxOutputBuffers = maxOutputBuffers;
    return *this;
}
ChannelInformation& ChannelInformation::guaranteedOutputBuffers(UInt32 guaranteedOutputBuffers) {
    impl_->guaranteedOutputBuffers = guaranteedOutputBuffers;
    return *this;
}
ChannelInformation& ChannelInformation::numInputBuffers(UInt32 numInputBuffers) {
    impl_->numInputBuffers = numInputBuffers;
    return *this;
}
ChannelInformation& ChannelInformation::sysSendBufSize(UInt32 sysSendBufSize) {
    impl_->sysSendBufSize = sysSendBufSize;
    return *this;
}
ChannelInformation& ChannelInformation::sysRecvBufSize(UInt32 sysRecvBufSize) {
    impl_->sysRecvBufSize = sysRecvBufSize;
    return *this;
}
ChannelInformation& ChannelInformation::compressionThreshold(UInt32 compressionThreshold) {
    impl_->compressionThreshold = compressionThreshold;
    return *this;
}
ChannelInformation& ChannelInformation::encryptionProtocol(UInt64 encryptionProtocol) {
    impl_->encryptionProtocol = encryptionProtocol;
    return *this;
}
ChannelInformation& ChannelInformation::compressionType(UInt32 compressionType) {
    impl_->compressionType = static_cast<CompressionType>(compressionType);
    return *this;
}

/// Words, lines and their order are the documented ones, which applications compare (ema-api.md 9).
const EmaString& ChannelInformation::toString() const {
    ChannelInformationImpl& i = *impl_;
    Lines lines(i.text);
    lines.add("hostname", i.hostname);
    lines.add("IP address", i.ipAddress);
    lines.add("port", UInt64{i.port});
    if (i.connectedComponentInfo.empty()) lines.add("connected component info", "unavailable");
    else lines.add("connected component info", i.connectedComponentInfo);
    lines.add("channel state", stateName(i.channelState));
    lines.add("connection type", connectionName(i.connectionType));
    lines.add("protocol type", protocolName(i.protocolType));
    lines.add("major version", UInt64{i.majorVersion});
    lines.add("minor version", UInt64{i.minorVersion});
    lines.add("ping timeout", UInt64{i.pingTimeout});
    lines.add("max fragmentation size", UInt64{i.maxFragmentSize});
    lines.add("max output buffers", UInt64{i.maxOutputBuffers});
    lines.add("guaranteed output buffers", UInt64{i.guaranteedOutputBuffers});
    lines.add("number input buffers", UInt64{i.numInputBuffers});
    lines.add("system send buffer size", UInt64{i.sysSendBufSize});
    lines.add("system receive buffer size", UInt64{i.sysRecvBufSize});
    lines.add("compression type", compressionName(i.compressionType));
    lines.add("compression threshold", UInt64{i.compressionThreshold});
    lines.add("encryption protocol", i.encryptionProtocol);
    if (i.hasPreferredHost) i.text.append("\n\t").append(i.preferredHost.toString());
    return i.text;
}
ChannelInformation::operator const char*() const {
    return toString().c_str();
}

}  // namespace refinitiv::ema::access
