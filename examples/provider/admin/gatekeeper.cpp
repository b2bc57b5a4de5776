// Decides who may log in. Reads the login request with the domain helper, answers with what it grants, refuses users
// that it does not know, and after a while tells everybody whom it let in that it is not well, and that it is well
// again.
//
//     gatekeeper [port [logins]]     ends when `logins` logins (2) have come and gone, or after 60 seconds
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using refinitiv::ema::domain::login::Login;

class Gatekeeper : public OmmProviderClient {
public:
    int gone = 0;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() != MMT_LOGIN) return;
        const Login::LoginReq login(request);
        std::cout << "login of " << login.getName();
        if (login.hasPosition()) std::cout << " at " << login.getPosition();
        if (login.hasApplicationId()) std::cout << ", application " << login.getApplicationId();
        std::cout << std::endl;

        if (login.getName() != "trader") {
            // A closed state refuses the login, and the library ends the connection.
            StatusMsg refusal;
            refusal.domainType(MMT_LOGIN).name(login.getName()).nameType(USER_NAME);
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotAuthorizedEnum, "unknown user");
            event.getProvider().submit(refusal, event.getHandle());
            ++gone;
            return;
        }
        Login::LoginRefresh grant;
        grant.name(login.getName()).nameType(USER_NAME).applicationName("gatekeeper").position("server room");
        grant.singleOpen(true).allowSuspectData(true).supportOMMPost(true).supportViewRequests(true);
        grant.supportOptimizedPauseResume(true).solicited(true);
        grant.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "come in");
        event.getProvider().submit(grant.getMessage(), event.getHandle());

        // News about the session go to the login stream, too. Handle 0 means every client that is logged in.
        StatusMsg news;
        news.domainType(MMT_LOGIN).state(OmmState::OpenEnum, OmmState::SuspectEnum, OmmState::NoneEnum,
                                         "feeling faint");
        event.getProvider().submit(news, 0);
        news.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "well again");
        event.getProvider().submit(news, 0);
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        if (request.getDomainType() != MMT_LOGIN) return;
        std::cout << "logout of " << request.getName() << std::endl;
        ++gone;
    }
};

int main(int argc, char* argv[]) {
    const int logins = argc > 2 ? std::atoi(argv[2]) : 2;
    try {
        Gatekeeper gatekeeper;
        OmmProvider provider(OmmIProviderConfig()
                                 .port(argc > 1 ? argv[1] : "14002")
                                 .operationModel(OmmIProviderConfig::UserDispatchEnum),
                             gatekeeper);
        std::cout << "ready" << std::endl;
        for (const UInt64 end = GetTime::getMillis() + 60'000; gatekeeper.gone < logins && GetTime::getMillis() < end;)
            provider.dispatch(100'000);
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
