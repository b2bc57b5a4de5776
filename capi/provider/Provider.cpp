// capi/provider: answers requests with the images that are kept, and sends what changes to their streams.
#include "provider/Provider.h"

#include "calls/TextFile.h"
#include "calls/calls.h"
#include "emissary/LogSink.h"

#include <iterator>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using namespace emissary::capi;

namespace {

/// Records of a provider for tests go nowhere.
struct NoSink final : emissary::LogSink {
    void write(const emissary::LogRecord&) override {}
};

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

std::string value(const char* name, const std::string& text) {
    return std::string("<") + name + " value=\"" + escaped(text) + "\"/>";
}

std::string configuration(const std::string& port, const std::string& service, const std::string& dictionaries,
                          bool json) {
    return "<EmaConfig><IProviderGroup>" + value("DefaultIProvider", "P") + "<IProviderList><IProvider>" +
           value("Name", "P") + value("Server", "S") + value("Directory", "D") +
           "</IProvider></IProviderList></IProviderGroup><ServerGroup><ServerList><Server>" + value("Name", "S") +
           value("ServerType", json ? "ServerType::RSSL_WEBSOCKET" : "ServerType::RSSL_SOCKET") + value("Port", port) +
           value("GuaranteedOutputBuffers", "5000") +
           "</Server></ServerList></ServerGroup><DictionaryGroup><DictionaryList><Dictionary>" + value("Name", "F") +
           value("DictionaryType", "DictionaryType::FileDictionary") +
           value("RdmFieldDictionaryFileName", dictionaries + "/RDMFieldDictionary") +
           value("EnumTypeDefFileName", dictionaries + "/enumtype.def") +
           "</Dictionary></DictionaryList></DictionaryGroup><DirectoryGroup>" + value("DefaultDirectory", "D") +
           "<DirectoryList><Directory>" + value("Name", "D") + "<Service>" + value("Name", service) + "<InfoFilter>" +
           value("ServiceId", "1") + "<Capabilities>" + value("CapabilitiesEntry", "MMT_DICTIONARY") +
           value("CapabilitiesEntry", "MMT_MARKET_PRICE") + "</Capabilities><DictionariesProvided>" +
           value("DictionariesProvidedEntry", "F") + "</DictionariesProvided><DictionariesUsed>" +
           value("DictionariesUsedEntry", "F") + "</DictionariesUsed></InfoFilter><StateFilter>" +
           value("ServiceState", "1") + value("AcceptingRequests", "1") +
           "</StateFilter></Service></Directory></DirectoryList></DirectoryGroup></EmaConfig>";
}

void send(OmmProvider& provider, const std::vector<UInt64>& handles, const auto& message) {
    for (const auto handle : handles)
        try {
            provider.submit(message, handle);
        } catch (const OmmInvalidHandleException&) {
            // closed meanwhile
        }
}

}  // namespace

emi_provider::emi_provider(const std::string& port, const std::string& service, const std::string& dictionaries,
                           bool json) {
    dictionary_.loadFieldDictionary((dictionaries + "/RDMFieldDictionary").c_str());
    dictionary_.loadEnumTypeDictionary((dictionaries + "/enumtype.def").c_str());
    const TextFile text(configuration(port, service, dictionaries, json));
    OmmIProviderConfig config(text.path().c_str());
    emissary::logTo(config, std::make_shared<NoSink>());
    config.operationModel(OmmIProviderConfig::ApiDispatchEnum);
    provider_ = std::make_unique<OmmProvider>(config, *this);
}

emi_provider::~emi_provider() = default;

std::vector<UInt64> emi_provider::handlesOf(const std::string& item) {
    std::vector<UInt64> handles;
    for (const auto& [handle, stream] : streams_)
        if (stream.item == item) handles.push_back(handle);
    return handles;
}

void emi_provider::publish(const std::string& item, const emi_value* values, std::size_t count) {
    KeptFields changed;
    for (std::size_t i = 0; i < count; ++i) {
        needSize(&values[i], "values[i]");
        KeptField field;
        const auto id = keep(dictionary_, values[i], field);
        changed[id] = std::move(field);
    }
    FieldList list;
    encode(changed, list);
    std::vector<UInt64> handles;
    {
        const std::lock_guard hold(lock_);
        auto& image = images_[item];
        for (auto& [id, field] : changed)
            image[id] = std::move(field);
        handles = handlesOf(item);
    }
    send(*provider_, handles, UpdateMsg().payload(list));
}

void emi_provider::status(const std::string& item, emi_state state, const char* text) {
    const auto stream = state == EMI_CURRENT || state == EMI_STALE ? OmmState::OpenEnum
                        : state == EMI_CLOSED                      ? OmmState::ClosedEnum
                        : state == EMI_CLOSED_RECOVER              ? OmmState::ClosedRecoverEnum
                                                                   : OmmState::NonStreamingEnum;
    if (stream == OmmState::NonStreamingEnum)
        throw Failure(EMI_E_ARGUMENT, "state is EMI_CURRENT, EMI_STALE, EMI_CLOSED or EMI_CLOSED_RECOVER");
    std::vector<UInt64> handles;
    {
        const std::lock_guard hold(lock_);
        handles = handlesOf(item);
        if (stream != OmmState::OpenEnum)
            for (const auto handle : handles)
                streams_.erase(handle);
    }
    send(*provider_, handles,
         StatusMsg().state(stream, state == EMI_CURRENT ? OmmState::OkEnum : OmmState::SuspectEnum, OmmState::NoneEnum,
                           text));
}

std::size_t emi_provider::streams(const char* item) {
    const std::lock_guard hold(lock_);
    return item == nullptr ? streams_.size() : handlesOf(item).size();
}

void emi_provider::onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) {
    auto& provider = event.getProvider();
    const auto handle = event.getHandle();
    if (request.getDomainType() == MMT_LOGIN) {
        RefreshMsg answer;
        answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
        return provider.submit(answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "login accepted"),
                               handle);
    }
    const std::string name = request.getName().c_str();
    const bool streaming = request.getInterestAfterRefresh();
    KeptFields fields;
    bool known = false;
    {
        const std::lock_guard hold(lock_);
        const auto image = images_.find(name);
        known = image != images_.end() && request.getDomainType() == MMT_MARKET_PRICE;
        if (known) {
            fields = image->second;
            if (streaming) streams_[handle] = {event.getClientHandle(), name};
        }
    }
    if (!known) {
        StatusMsg refusal;
        refusal.domainType(static_cast<UInt16>(request.getDomainType()))
            .name(request.getName())
            .serviceId(request.getServiceId());
        return provider.submit(
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "there is no such item"),
            handle);
    }
    FieldList list;
    encode(fields, list);
    RefreshMsg answer;
    answer.name(request.getName()).serviceId(request.getServiceId()).solicited(true).complete(true).payload(list);
    answer.state(streaming ? OmmState::OpenEnum : OmmState::NonStreamingEnum, OmmState::OkEnum, OmmState::NoneEnum, "");
    provider.submit(answer, handle);
}

void emi_provider::onClose(const ReqMsg& request, const OmmProviderEvent& event) {
    const std::lock_guard hold(lock_);
    streams_.erase(event.getHandle());
    if (request.getDomainType() != MMT_LOGIN) return;
    // With a login its items go.
    for (auto s = streams_.begin(); s != streams_.end();)
        s = s->second.client == event.getClientHandle() ? streams_.erase(s) : std::next(s);
}
