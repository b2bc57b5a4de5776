// The token and discovery service of the examples: gives everybody a token, and the endpoint that it was told.
//
//     example_cloud port endpoint-port [certificate key]
#include "support/RestServer.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using emissary::test::RestServer;

int main(int argc, char* argv[]) {
    if (argc < 3) return EXIT_FAILURE;
    const auto port = static_cast<std::uint16_t>(std::atoi(argv[1])),
               endpoint = static_cast<std::uint16_t>(std::atoi(argv[2]));
    const RestServer server(
        [endpoint](const RestServer::Request& r) -> RestServer::Reply {
            if (r.path() == "/auth/oauth2/v1/token") return {.body = emissary::test::tokenV1("token", "refresh", 300)};
            if (r.path() == "/auth/oauth2/v2/token") return {.body = emissary::test::tokenV2("token", 300)};
            return {.body = emissary::test::services("localhost", endpoint)};
        },
        argc > 4 ? argv[3] : "", argc > 4 ? argv[4] : "", port);
    std::cout << "ready on " << server.port() << std::endl;
    std::this_thread::sleep_for(std::chrono::minutes(2));
}
