// capi/provider: parts of an EmaConfig.xml as text.
#include "provider/settings.h"

#include "Ema.h"
#include "calls/calls.h"

namespace emissary::capi {
namespace {

// Names of services and folders are the caller's text: without this, one quote would end the attribute.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

}  // namespace

std::string value(const char* name, const std::string& text) {
    return std::string("<") + name + " value=\"" + escaped(text) + "\"/>";
}

std::string capabilities() {
    std::string all;
    for (const char* domain : {"MMT_MARKET_PRICE", "MMT_MARKET_BY_ORDER", "MMT_MARKET_BY_PRICE", "MMT_MARKET_MAKER",
                               "MMT_SYMBOL_LIST", "MMT_YIELD_CURVE"})
        all += value("CapabilitiesEntry", domain);
    return all;
}

std::string dictionaryGroup(const std::string& folder) {
    return "<DictionaryGroup><DictionaryList><Dictionary>" + value("Name", "F") +
           value("DictionaryType", "DictionaryType::FileDictionary") +
           value("RdmFieldDictionaryFileName", folder + "/RDMFieldDictionary") +
           value("EnumTypeDefFileName", folder + "/enumtype.def") + "</Dictionary></DictionaryList></DictionaryGroup>";
}

std::uint16_t checkedDomain(std::uint32_t domain) {
    // 0 is what a structure cleared by memset holds: the usual domain, so that simple programs need not name one.
    if (domain == 0) return refinitiv::ema::rdm::MMT_MARKET_PRICE;
    if (domain < refinitiv::ema::rdm::MMT_MARKET_PRICE || domain > 255)
        throw Failure(EMI_E_ARGUMENT, "domain " + std::to_string(domain) + " is not one of 6 to 255");
    return static_cast<std::uint16_t>(domain);
}

}  // namespace emissary::capi
