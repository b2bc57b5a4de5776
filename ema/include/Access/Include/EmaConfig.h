// Enumerations for configuration calls (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the enumerations that config objects take.
class EMA_ACCESS_API EmaConfig {
public:
    enum class ConnectionTypeEnum { SOCKET = 0, ENCRYPTED = 1, HTTP = 2, WEBSOCKET = 7 };
    enum class EncryptedProtocolTypeEnum { SOCKET = 0, HTTP = 2, WEBSOCKET = 7 };

    EmaConfig() = delete;
    EmaConfig(const EmaConfig&) = delete;
    EmaConfig& operator=(const EmaConfig&) = delete;
};

}  // namespace refinitiv::ema::access
