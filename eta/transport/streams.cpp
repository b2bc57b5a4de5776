#include "transport/streams.h"

namespace emissary::eta::transport {

const char* describe(ConnectionType type) noexcept {
    switch (type) {
    case ConnectionType::socket:
        return "RSSL_SOCKET";
    case ConnectionType::encrypted:
        return "RSSL_ENCRYPTED";
    case ConnectionType::http:
        return "RSSL_HTTP";
    case ConnectionType::sharedMemory:
        return "RSSL_UNIDIR_SHMEM";
    case ConnectionType::reliableMulticast:
        return "RSSL_RELIABLE_MCAST";
    case ConnectionType::webSocket:
        return "RSSL_WEBSOCKET";
    }
    return "unknown connection type";
}

std::unique_ptr<ByteStream> layersOfClient(Descriptor socket, const ConnectOptions&, std::string&) {
    return std::make_unique<TcpStream>(std::move(socket), false);
}

bool isForeign(ConnectionType type) noexcept {
    return type == ConnectionType::sharedMemory || type == ConnectionType::reliableMulticast;
}

std::unique_ptr<ByteStream> openForeign(const ConnectOptions& options, std::string& reason) {
    reason = std::string(describe(options.connectionType)) + " is not available in this build";
    return nullptr;
}

std::unique_ptr<StreamListener> listenForeign(const BindOptions& options, std::string& reason) {
    reason = std::string(describe(options.connectionType)) + " is not available in this build";
    return nullptr;
}

}  // namespace emissary::eta::transport
