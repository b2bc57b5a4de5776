// Asks which endpoints a cloud service has, and prints them: transport, address, data formats and places.
//
//     service_discovery [user [password [client id [http://host:port]]]]
//
// The last argument names a token and discovery service other than the platform's.
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Endpoints : public ServiceEndpointDiscoveryClient {
    void onSuccess(const ServiceEndpointDiscoveryResp& answer, const ServiceEndpointDiscoveryEvent&) override {
        const EmaVector<ServiceEndpointDiscoveryInfo>& list = answer.getServiceEndpointInfoList();
        for (UInt32 i = 0; i < list.size(); ++i)
            std::cout << list[i].getTransport() << " " << list[i].getEndPoint() << ":" << list[i].getPort()
                      << std::endl;
    }
    void onError(const EmaString& text, const ServiceEndpointDiscoveryEvent&) override {
        std::cout << text << std::endl;
    }
};

int main(int argc, char* argv[]) {
    try {
        ServiceEndpointDiscoveryOption option;
        option.username(argc > 1 ? argv[1] : "user").password(argc > 2 ? argv[2] : "password");
        option.clientId(argc > 3 ? argv[3] : "client");
        option.transport(ServiceEndpointDiscoveryOption::TcpEnum).dataFormat(ServiceEndpointDiscoveryOption::RwfEnum);
        Endpoints endpoints;
        const EmaString service(argc > 4 ? argv[4] : "https://api.refinitiv.com");
        ServiceEndpointDiscovery discovery(service + "/auth/oauth2/v1/token", service + "/streaming/pricing/v1/");
        discovery.registerClient(option, endpoints);  // answers before it returns
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
