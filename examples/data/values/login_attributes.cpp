// The domain helper for logins: turns attributes into login messages and login messages into attributes, so that nobody
// has to remember the names of the elements.
//
//     login_attributes
#include "Ema.h"
#include "EmaDomain.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using refinitiv::ema::domain::login::Login;

int main() {
    try {
        Login::LoginReq request;
        request.name("trader").nameType(USER_NAME).applicationId("777").position("10.1.2.3/desk4").singleOpen(false);
        request.role(LOGIN_ROLE_CONS);
        std::cout << request.toString() << std::endl;

        // As a message it is an ordinary ReqMsg of the login domain.
        const ReqMsg& message = request.getMessage();
        std::cout << "domain " << message.getDomainType() << ", key " << message.getName() << std::endl;

        // And back. What the message does not say is not set; asking for it is an error.
        const Login::LoginReq read(message);
        std::cout << "application " << read.getApplicationId() << ", single open " << read.getSingleOpen() << std::endl;
        try {
            read.getPassword();
        } catch (const OmmInvalidUsageException& failure) {
            std::cout << "no password: " << failure.getErrorCode() << std::endl;
        }

        Login::LoginStatus refusal;
        refusal.name("trader").state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotAuthorizedEnum,
                                     "not today");
        refusal.authenticationErrorCode(17).authenticationErrorText("account is locked");
        std::cout << Login::LoginStatus(refusal.getMessage()).getAuthenticationErrorText() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
