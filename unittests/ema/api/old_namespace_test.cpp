// Programs that name the namespace as other levels of EMA do: with one header of the interface, and with all of them.
#include "Access/Include/ReqMsg.h"

namespace {
/// Stands here because ReqMsg.h alone has to be enough for it.
using OldRequest = thomsonreuters::ema::access::ReqMsg;
}  // namespace

#include "Ema.h"
#include "emissary/thomsonreuters.h"
#include "support/catch.hpp"

#include <type_traits>

using namespace thomsonreuters::ema::access;
using namespace thomsonreuters::ema::rdm;

// What a program may have written for itself when the name changed; the same alias twice is no error.
namespace thomsonreuters = refinitiv;

TEST_CASE("the old namespace has the same names", "[ema][api]") {
    static_assert(std::is_same_v<OldRequest, refinitiv::ema::access::ReqMsg>);
    static_assert(std::is_same_v<thomsonreuters::ema::domain::login::Login::LoginReq,
                                 refinitiv::ema::domain::login::Login::LoginReq>);
    static_assert(std::is_same_v<thomsonreuters::ema::access::OmmConsumer, refinitiv::ema::access::OmmConsumer>);
    ReqMsg request;
    request.domainType(MMT_MARKET_PRICE).name("EMI.X").serviceName("DIRECT_FEED");
    CHECK(request.getName() == "EMI.X");
}

TEST_CASE("every version of TLS has its number", "[ema][api]") {
    CHECK(OmmConsumerConfig::ENC_NONE == 0);
    CHECK(OmmConsumerConfig::ENC_TLSV1 == 1);
    CHECK(OmmConsumerConfig::ENC_TLSV1_1 == 2);
    CHECK(OmmConsumerConfig::ENC_TLSV1_2 == 4);
    CHECK(OmmConsumerConfig::ENC_TLSV1_3 == 8);
    CHECK(static_cast<int>(OmmNiProviderConfig::ENC_TLSV1) == OmmConsumerConfig::ENC_TLSV1);
    CHECK(static_cast<int>(OmmNiProviderConfig::ENC_TLSV1_1) == OmmConsumerConfig::ENC_TLSV1_1);
}
