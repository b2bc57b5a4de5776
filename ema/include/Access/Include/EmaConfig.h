// Enumerations for configuration calls (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the enumerations that configuration objects take; not constructible.
class EMA_ACCESS_API EmaConfig {
public:
    /// Connection types for OmmConsumerConfig::channelType(). HTTP can be chosen; constructing the consumer refuses it
    /// then.
    enum class ConnectionTypeEnum { SOCKET = 0, ENCRYPTED = 1, HTTP = 2, WEBSOCKET = 7 };
    /// What an encrypted channel carries inside TLS: OmmConsumerConfig::encryptedProtocolType().
    enum class EncryptedProtocolTypeEnum { SOCKET = 0, HTTP = 2, WEBSOCKET = 7 };

    EmaConfig() = delete;
    EmaConfig(const EmaConfig&) = delete;
    EmaConfig& operator=(const EmaConfig&) = delete;
};

}  // namespace refinitiv::ema::access
