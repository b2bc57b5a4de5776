// capi/consumer: checks domain, flags and view of a caller's request, and writes them into a message.
#include "consumer/request_parts.h"

#include "calls/calls.h"
#include "data/fields.h"

#include <cstdlib>
#include <string>

namespace emissary::capi {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

std::uint16_t domainOf(std::uint32_t domain) {
    if (domain == 0) return MMT_MARKET_PRICE;
    // Domains below 6 are login, directory, dictionary and the like: the library keeps those streams itself.
    if (domain < MMT_MARKET_PRICE || domain > 255)
        throw Failure(EMI_E_ARGUMENT, "domain " + std::to_string(domain) + " is not one of 6 to 255");
    return static_cast<std::uint16_t>(domain);
}

emi_value named(const char* name) {
    emi_value v{};
    char* end = nullptr;
    // A name that is a number is a field id: an id needs no dictionary.
    const long id = std::strtol(name, &end, 10);
    if (*name != '\0' && *end == '\0') {
        if (id == 0 || id < -32'768 || id > 32'767)
            throw Failure(EMI_E_ARGUMENT, std::string("field id ") + name + " is not one of -32768 to 32767 without 0");
        v.fid = static_cast<std::int16_t>(id);
    }
    v.name = name;
    return v;
}

void prepare(const emi_request& how, ReqMsg& request) {
    constexpr std::size_t kMostFields = 1000;
    constexpr auto kKnown = static_cast<std::uint32_t>(EMI_SNAPSHOT | EMI_PRIVATE | EMI_BATCH);
    if ((how.flags & ~kKnown) != 0)
        throw Failure(EMI_E_ARGUMENT, "flags " + std::to_string(how.flags) + " has unknown bits");
    if (how.view_count > kMostFields)
        throw Failure(EMI_E_ARGUMENT, "a view of " + std::to_string(how.view_count) + " fields; at most 1000");
    request.domainType(domainOf(how.domain));
    if ((how.flags & EMI_SNAPSHOT) != 0) request.interestAfterRefresh(false);
    if ((how.flags & EMI_PRIVATE) != 0) request.privateStream(true);
}

void addView(ElementList& payload, const emi_request& how, const DictionarySource& dictionary) {
    if (how.view_count == 0) return;
    need(how.view, "view");
    OmmArray fields;
    // Two bytes each: field ids have 16 bits.
    fields.fixedWidth(2);
    for (std::size_t i = 0; i < how.view_count; ++i) {
        need(how.view[i], "a field of the view");
        const emi_value wanted = named(how.view[i]);
        fields.addInt(wanted.fid != 0 ? wanted.fid : fieldId(dictionary(), wanted));
    }
    payload.addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST).addArray(ENAME_VIEW_DATA, fields.complete());
}

}  // namespace emissary::capi
