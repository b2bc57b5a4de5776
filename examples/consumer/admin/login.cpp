// Logs in with a request of its own, made with the domain helper, and follows the login stream: what was granted, and
// news about the session. The client given to the constructor sees the login from its first message on; others can
// register for it later and get what is known. A user whom nobody knows is refused with an exception.
//
//     login [host:port]     run provider/admin/gatekeeper first
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using refinitiv::ema::domain::login::Login;

class LoginWatcher : public OmmConsumerClient {
public:
    int images = 0, news = 0;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        ++images;
        const Login::LoginRefresh grant(msg);
        std::cout << static_cast<const char*>(event.getClosure()) << " sees: " << grant.getState().toString()
                  << std::endl;
        if (grant.hasSupportOMMPost()) std::cout << "    posts: " << grant.getSupportOMMPost() << std::endl;
        if (grant.hasSupportViewRequests()) std::cout << "    views: " << grant.getSupportViewRequests() << std::endl;
        if (grant.hasApplicationName()) std::cout << "    from: " << grant.getApplicationName() << std::endl;
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        if (!msg.hasState()) return;
        ++news;
        std::cout << static_cast<const char*>(event.getClosure()) << " hears: " << msg.getState().toString()
                  << std::endl;
    }
};

OmmConsumerConfig& configure(OmmConsumerConfig& config, const char* host, const char* user) {
    Login::LoginReq login;
    login.name(user)
        .nameType(USER_NAME)
        .position("10.1.2.3/desk4")
        .applicationId("777")
        .applicationName("login example");
    login.singleOpen(true).allowSuspectData(true);
    return config.host(host).addAdminMsg(login.getMessage()).operationModel(OmmConsumerConfig::UserDispatchEnum);
}

int main(int argc, char* argv[]) {
    const char* host = argc > 1 ? argv[1] : "localhost:14002";
    try {
        char first[] = "the first client", second[] = "the second client";
        LoginWatcher watcher;
        OmmConsumerConfig config;
        OmmConsumer consumer(configure(config, host, "trader"), watcher, first);
        consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), watcher, second);  // nothing goes over the line
        for (const UInt64 end = GetTime::getMillis() + 30'000;
             (watcher.images < 2 || watcher.news < 2) && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    try {
        OmmConsumerConfig config;
        OmmConsumer stranger(configure(config, host, "stranger"));
    } catch (const OmmInvalidUsageException& refusal) {
        std::cout << "stranger: " << refusal.getText() << std::endl;
        return refusal.getErrorCode() == OmmInvalidUsageException::LoginRequestRejectedEnum ? EXIT_SUCCESS
                                                                                            : EXIT_FAILURE;
    }
    return EXIT_FAILURE;
}
