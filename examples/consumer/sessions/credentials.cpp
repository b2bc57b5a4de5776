// Logs in to a service in the cloud with client credentials: the library fetches a token, looks up where the service
// is, and connects; when the connection is lost it asks the program for the secret again.
//
//     credentials [client id [client secret [https://host:port [authorities.pem]]]]
//
// The third argument names a token and discovery service other than the platform's, the fourth who vouches for it.
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

class Credentials : public OmmOAuth2ConsumerClient {
public:
    OmmConsumer* consumer = nullptr;

    explicit Credentials(const EmaString& secret) : secret_(secret) {}

private:
    // The library has forgotten the secret after the first token: it is asked for each time.
    void onCredentialRenewal(const OmmConsumerEvent& event) override {
        std::cout << "asked for " << event.getChannelInformation().getName() << std::endl;
        OAuth2CredentialRenewal renewal;
        consumer->renewOAuth2Credentials(renewal.clientSecret(secret_));
    }
    EmaString secret_;
};

class Watcher : public OmmConsumerClient {
public:
    int updates = 0;

private:
    void onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) override { ++updates; }
};

int main(int argc, char* argv[]) {
    const EmaString id(argc > 1 ? argv[1] : "client"), secret(argc > 2 ? argv[2] : "secret");
    try {
        // No Host and no Port: the endpoint is looked up, for the wanted location.
        ElementList channel;
        channel.addEnum("ChannelType", 1)
            .addEnum("EncryptedProtocolType", 0)
            .addUInt("EnableSessionManagement", 1)
            .addAscii("Location", "us-east-1");
        if (argc > 4) channel.addAscii("OpenSSLCAStore", argv[4]);
        channel.complete();
        Map channels, consumers, map;
        consumers.addKeyAscii("Cloud", MapEntry::AddEnum, ElementList().addAscii("Channel", "Found").complete())
            .complete();
        channels.addKeyAscii("Found", MapEntry::AddEnum, channel).complete();
        map.addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                        ElementList().addAscii("DefaultConsumer", "Cloud").addMap("ConsumerList", consumers).complete())
            .addKeyAscii("ChannelGroup", MapEntry::AddEnum, ElementList().addMap("ChannelList", channels).complete())
            .complete();

        Credentials credentials(secret);
        OmmConsumerConfig config;
        config.config(map).clientId(id).clientSecret(secret).operationModel(OmmConsumerConfig::UserDispatchEnum);
        if (argc > 3) {
            const EmaString service(argv[3]);
            config.tokenServiceUrlV2(service + "/auth/oauth2/v2/token")
                .serviceDiscoveryUrl(service + "/streaming/pricing/v1/");
        }
        OmmConsumer consumer(config, credentials);
        credentials.consumer = &consumer;
        std::cout << "connected" << std::endl;
        Watcher watcher;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        for (const UInt64 end = GetTime::getMillis() + 30'000; watcher.updates < 3 && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        std::cout << (watcher.updates >= 3 ? "updates flow" : "no updates") << std::endl;
        return watcher.updates >= 3 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
