// What the tests of the dictionary classes share.
#pragma once

#include "Access/Include/OmmInvalidUsageException.h"
#include "Rdm/Include/DataDictionary.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <string>

namespace rdm_test {

/// The shipped files.
inline void load(refinitiv::ema::rdm::DataDictionary& d) {
    d.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    d.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
}

/// Calls and gives the text of the OmmInvalidUsageException; its code must be `code`.
template <class Call>
std::string refusal(refinitiv::ema::access::Int32 code, Call&& call) {
    try {
        call();
    } catch (const refinitiv::ema::access::OmmInvalidUsageException& e) {
        CHECK(e.getErrorCode() == code);
        return e.getText().c_str();
    }
    return "nothing thrown";
}

}  // namespace rdm_test
