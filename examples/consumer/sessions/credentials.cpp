// Logs in to a service in the cloud with client credentials: the library fetches a token before it connects, and asks
// the program again when it must be renewed.
//
//     credentials [client id [client secret]]     needs a library with session management
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Credentials : public OmmOAuth2ConsumerClient {
public:
    OmmConsumer* consumer = nullptr;

    explicit Credentials(const EmaString& secret) : secret_(secret) {}

private:
    // The secret is not kept by the library: it is asked for each time.
    void onCredentialRenewal(const OmmConsumerEvent&) override {
        OAuth2CredentialRenewal renewal;
        consumer->renewOAuth2Credentials(renewal.clientSecret(secret_));
    }
    EmaString secret_;
};

int main(int argc, char* argv[]) {
    const EmaString id(argc > 1 ? argv[1] : "client"), secret(argc > 2 ? argv[2] : "secret");
    try {
        Credentials credentials(secret);
        OmmConsumerConfig config;
        config.clientId(id).clientSecret(secret).operationModel(OmmConsumerConfig::UserDispatchEnum);
        OmmConsumer consumer(config, credentials);
        credentials.consumer = &consumer;
        std::cout << "connected as " << consumer.getConsumerName() << std::endl;
        return EXIT_SUCCESS;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
