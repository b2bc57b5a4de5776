// Facts about one connection (ema-api.md section 9).
#pragma once

#include "Access/Include/EmaString.h"

#include <memory>

namespace emissary::ema {
struct ChannelInformationImpl;
}

namespace refinitiv::ema::access {

class PreferredHostInfo;

/// A snapshot of one connection (ema-api.md section 9): plain values that do not change with it. The setters are for
/// the library and for tests; they change this object, not the connection. Copyable, not thread safe.
class EMA_ACCESS_API ChannelInformation {
public:
    /// Where a connection stands.
    enum ChannelState { ClosedEnum = -1, InactiveEnum = 0, InitializingEnum = 1, ActiveEnum = 2 };
    /// Transports, by their numbers in the configuration.
    enum ConnectionType {
        Unidentified = -1,
        SocketEnum = 0,
        EncryptedEnum = 1,
        HttpEnum = 2,
        Unidir_ShmemEnum = 3,
        Reliable_McastEnum = 4,
        Ext_Line_SocketEnum = 5,
        Seq_McastEnum = 6,
        WebSocketEnum = 7
    };
    enum ProtocolType { UnknownEnum = -1, RwfEnum = 0, RsslJsonEnum = 2 };      ///< what the bytes are
    enum CompressionType { NoneEnum = 0x00, ZLIBEnum = 0x01, LZ4Enum = 0x02 };  ///< how messages are compressed
    ChannelInformation(const ChannelInformation& other);                        ///< copies the values
    ChannelInformation& operator=(const ChannelInformation& other);             ///< copies the values
    virtual ~ChannelInformation();
    ChannelInformation();  ///< nothing known: InactiveEnum, Unidentified, numbers 0, texts empty
    /// The values named; the others as by default.
    ChannelInformation(const EmaString& connectedComponentInfo, const EmaString& hostname, const EmaString& ipAddress,
                       const ChannelState channelState, const ConnectionType connectionType,
                       const ProtocolType protocolType, const UInt32 majorVersion, const UInt32 minorVersion,
                       const UInt32 pingTimeout);
    void clear();  ///< back to the default values
    /// Product and version that the peer says of itself; empty when it says nothing.
    const EmaString& getConnectedComponentInfo() const;
    const EmaString& getHostname() const;        ///< host as configured; server side: the name that the client gives
    UInt16 port() const;                         ///< TCP port of the peer
    const EmaString& getIPaddress() const;       ///< address of the peer
    ChannelState getChannelState() const;        ///< where the connection stands
    ConnectionType getConnectionType() const;    ///< transport in use
    ProtocolType getProtocolType() const;        ///< RWF or JSON
    UInt32 getMajorVersion() const;              ///< of the protocol
    UInt32 getMinorVersion() const;              ///< of the protocol
    UInt32 getPingTimeout() const;               ///< seconds without traffic after which the connection counts as lost
    UInt32 getMaxFragmentSize() const;           ///< bytes of one transport message
    UInt32 getMaxOutputBuffers() const;          ///< buffers that output may take at most
    UInt32 getGuaranteedOutputBuffers() const;   ///< buffers that output may always take
    UInt32 getNumInputBuffers() const;           ///< buffers for reading
    UInt32 getSysSendBufSize() const;            ///< bytes of the kernel's send buffer
    UInt32 getSysRecvBufSize() const;            ///< bytes of the kernel's receive buffer
    CompressionType getCompressionType() const;  ///< one of CompressionType
    UInt32 getCompressionThreshold() const;      ///< bytes from which a message is compressed
    UInt64 getEncryptionProtocol() const;        ///< TLS version: 4 = TLS 1.2, 8 = TLS 1.3, 0 = none
    /// One line for the host, then `key: value` lines (ema-api.md section 9). Valid until the object changes or is
    /// asked again.
    const EmaString& toString() const;
    operator const char*() const;                               ///< toString().c_str()
    ChannelInformation& hostname(const EmaString& hostname);    ///< host as configured
    ChannelInformation& port(const UInt16 port);                ///< TCP port of the peer
    ChannelInformation& ipAddress(const EmaString& ipAddress);  ///< address of the peer
    /// Product and version that the peer says of itself.
    ChannelInformation& connectedComponentInfo(const EmaString& connectedComponentInfo);
    ChannelInformation& channelState(ChannelState channelState);        ///< where the connection stands
    ChannelInformation& connectionType(ConnectionType connectionType);  ///< transport in use
    ChannelInformation& protocolType(ProtocolType protocolType);        ///< RWF or JSON
    ChannelInformation& majorVersion(UInt32 majorVersion);              ///< of the protocol
    ChannelInformation& minorVersion(UInt32 minorVersion);              ///< of the protocol
    /// Seconds without traffic after which the connection counts as lost.
    ChannelInformation& pingTimeout(UInt32 pingTimeout);
    ChannelInformation& maxFragmentSize(UInt32 maxFragmentSize);    ///< bytes of one transport message
    ChannelInformation& maxOutputBuffers(UInt32 maxOutputBuffers);  ///< buffers that output may take at most
    /// Buffers that output may always take.
    ChannelInformation& guaranteedOutputBuffers(UInt32 guaranteedOutputBuffers);
    ChannelInformation& numInputBuffers(UInt32 numInputBuffers);  ///< buffers for reading
    ChannelInformation& sysSendBufSize(UInt32 sysSendBufSize);    ///< bytes of the kernel's send buffer
    ChannelInformation& sysRecvBufSize(UInt32 sysRecvBufSize);    ///< bytes of the kernel's receive buffer
    ChannelInformation& compressionType(UInt32 compressionType);  ///< one of CompressionType
    /// Bytes from which a message is compressed.
    ChannelInformation& compressionThreshold(UInt32 compressionThreshold);
    /// TLS version: 4 = TLS 1.2, 8 = TLS 1.3, 0 = none.
    ChannelInformation& encryptionProtocol(UInt64 encryptionProtocol);
    EmaString getName() const;                        ///< the configured channel or server
    EmaString getSessionName() const;                 ///< the session channel; empty without request routing
    ChannelInformation& name(const EmaString& name);  ///< the configured channel or server
    ChannelInformation& sessionName(const EmaString& sessionName);  ///< the session channel
    const PreferredHostInfo& getPreferredHostInfo() const;  ///< state of the preferred host; disabled unless configured
    /// Adds the lines of the preferred host to toString().
    ChannelInformation& preferredHostInfo(const PreferredHostInfo& info);

private:
    std::unique_ptr<emissary::ema::ChannelInformationImpl> impl_;
};

}  // namespace refinitiv::ema::access
