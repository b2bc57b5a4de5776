// The kinds of exceptions and what each carries: one handler for all of them, or one for each. Their texts name the
// object and what to do about it.
//
//     exceptions
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

template <class Action>
void attempt(const char* what, Action action) {
    std::cout << what << ": ";
    try {
        action();
        std::cout << "fine" << std::endl;
    } catch (const OmmInvalidUsageException& failure) {
        std::cout << "invalid usage " << failure.getErrorCode() << std::endl;
    } catch (const OmmOutOfRangeException& failure) {
        std::cout << "out of range: " << failure.getText() << std::endl;
    } catch (const OmmUnsupportedDomainTypeException& failure) {
        std::cout << "domain " << failure.getDomainType() << std::endl;
    } catch (const OmmInvalidConfigurationException& failure) {
        std::cout << "configuration: " << failure.getText() << std::endl;
    } catch (const OmmException& failure) {  // whatever else
        std::cout << failure.toString() << std::endl;
    }
}

int main() {
    attempt("a message without name", [] { RefreshMsg().getName(); });
    attempt("name and id of a service", [] { ReqMsg().serviceName("DIRECT_FEED").serviceId(1); });
    attempt("the thirtieth of February", [] { FieldList().addDate(16, 2026, 2, 30); });
    attempt("a character behind the end", [] { EmaString("abc")[10]; });
    attempt("domain 300", [] { ReqMsg().domainType(300); });
    attempt("a file that is not there", [] { OmmConsumerConfig config("/no/such/EmaConfig.xml"); });
    attempt("an array of two types", [] { OmmArray().addInt(1).addAscii("two"); });
    attempt("a field that the dictionary lacks", [] { refinitiv::ema::rdm::DataDictionary().getEntry("BID"); });
    attempt("an ordinary request", [] { ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"); });
    return EXIT_SUCCESS;
}
