// Encrypted ports of hubs in tests.
#pragma once

#include "hub/config/HubSettings.h"
#include "support/RawConsumer.h"
#include "support/paths.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace emissary::test {

using eta::transport::ConnectionType;
using eta::transport::ConnectOptions;

/// Certificates of a test's own; gone with it.
class Certificates {
public:
    Certificates() : path_((std::filesystem::temp_directory_path() / "emissary-hub-XXXXXX").string()) {
        REQUIRE(::mkdtemp(path_.data()) != nullptr);
        REQUIRE(std::system((sourcePath("/dev/make_test_certificates.sh '") + path_ + "'").c_str()) == 0);
    }
    ~Certificates() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Certificates(const Certificates&) = delete;
    Certificates& operator=(const Certificates&) = delete;

    void encrypt(hub::ListenerSettings& port) const {
        port.bind.connectionType = ConnectionType::encrypted;
        port.bind.tls.certificate = path_ + "/server.pem";
        port.bind.tls.privateKey = path_ + "/server-key.pem";
    }
    [[nodiscard]] ConnectOptions to(std::uint16_t port, ConnectionType inside = ConnectionType::socket,
                                    const char* protocols = "rssl.rwf") const {
        ConnectOptions o = RawConsumer::optionsFor(port);
        o.host = "localhost";
        o.connectionType = ConnectionType::encrypted;
        o.encryptedProtocol = inside;
        o.webSocket.protocols = protocols;
        o.tls.caStore = path_ + "/ca.pem";
        return o;
    }

private:
    std::string path_;
};

}  // namespace emissary::test
