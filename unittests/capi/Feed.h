// A provider of one service whose items have three fields, and a consumer of the C interface that is connected to it.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "emissary/port.h"
#include "support/EmaConfigFile.h"
#include "support/catch.hpp"
#include "support/paths.h"
#include "support/until.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

namespace emissary::test {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// Accepts each login but that of "nobody", and each item but "NONE.X".
class Feed : public OmmProviderClient {
public:
    explicit Feed(const std::string& serverType = {})
        : file_(config::provider({}) + config::server(serverType + R"(<GuaranteedOutputBuffers value="5000"/>)") +
                config::logger(config::kSilent) + config::dictionary(sourcePath("/etc/RDMFieldDictionary")) +
                config::directory("DIRECT_FEED", 1, {"MMT_DICTIONARY", "MMT_MARKET_PRICE"}, true)),
          provider_(OmmIProviderConfig(file_.path().c_str()).operationModel(OmmIProviderConfig::ApiDispatchEnum),
                    *this) {}

    [[nodiscard]] std::string host() { return "localhost:" + std::to_string(listeningPort(provider_)); }

    /// BID 22 as a Real of two decimals, ASK 25 blank, DSPLY_NAME 3.
    static const FieldList& fields(FieldList& list, Int64 bid, const std::string& name) {
        list.addReal(22, bid, OmmReal::ExponentNeg2Enum).addCodeReal(25);
        list.addRmtes(3, EmaBuffer(name.data(), static_cast<UInt32>(name.size())));
        return static_cast<const FieldList&>(list.complete());
    }
    void update(const std::string& name, Int64 bid) {
        FieldList list;
        list.addReal(22, bid, OmmReal::ExponentNeg2Enum).complete();
        provider_.submit(UpdateMsg().payload(list), handle(name));
    }
    void send(const std::string& name, const UpdateMsg& msg) { provider_.submit(msg, handle(name)); }
    void status(const std::string& name, OmmState::StreamState stream, OmmState::DataState data, const char* text) {
        provider_.submit(StatusMsg().state(stream, data, OmmState::NoneEnum, text), handle(name));
    }
    /// On the login stream, which stays open.
    void loginState(OmmState::DataState data, OmmState::StatusCode code, const char* text) {
        provider_.submit(
            StatusMsg().domainType(MMT_LOGIN).state(OmmState::OpenEnum, data, static_cast<UInt8>(code), text),
            handle(kLogin));
    }
    /// Images do not say what they are of, from now on.
    void leaveNamesOut() { names_ = false; }
    [[nodiscard]] bool has(const std::string& name) {
        const std::lock_guard hold(lock_);
        return handles_.count(name) != 0;
    }

private:
    static constexpr const char* kLogin = "the login";
    UInt64 handle(const std::string& name) {
        REQUIRE(eventually([&] { return has(name); }));
        const std::lock_guard hold(lock_);
        return handles_[name];
    }
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) return login(request, event);
        const std::string name = request.getName().c_str();
        if (name == "NONE.X")
            return event.getProvider().submit(
                StatusMsg()
                    .name(request.getName())
                    .serviceId(request.getServiceId())
                    .state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such item"),
                event.getHandle());
        FieldList list;
        RefreshMsg answer;
        if (names_) answer.name(request.getName()).serviceId(request.getServiceId());
        answer.solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
        event.getProvider().submit(answer.payload(fields(list, 3990, name)), event.getHandle());
        const std::lock_guard hold(lock_);
        handles_[name] = event.getHandle();
    }
    void login(const ReqMsg& request, const OmmProviderEvent& event) {
        const bool fits = !(request.getName() == "nobody");
        RefreshMsg answer;
        answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
        if (!fits)
            return event.getProvider().submit(StatusMsg()
                                                  .domainType(MMT_LOGIN)
                                                  .name(request.getName())
                                                  .nameType(USER_NAME)
                                                  .state(OmmState::ClosedEnum, OmmState::SuspectEnum,
                                                         OmmState::NotAuthorizedEnum, "nobody is not known here"),
                                              event.getHandle());
        event.getProvider().submit(answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome"),
                                   event.getHandle());
        const std::lock_guard hold(lock_);
        handles_[kLogin] = event.getHandle();
    }

    EmaConfigFile file_;
    std::atomic<bool> names_ = true;
    std::mutex lock_;
    std::map<std::string, UInt64> handles_;  // under lock_
    OmmProvider provider_;
};

/// Opened with the given settings; closed at the end.
class CConsumer {
public:
    explicit CConsumer(const std::string& host, const std::map<std::string, std::string>& settings = {}) {
        emi_config* config = emi_config_new();
        REQUIRE(emi_config_set(config, "host", host.c_str(), &error) == EMI_OK);
        REQUIRE(emi_config_set(config, "login_timeout_ms", "10000", &error) == EMI_OK);
        for (const auto& [name, value] : settings)
            REQUIRE(emi_config_set(config, name.c_str(), value.c_str(), &error) == EMI_OK);
        code = emi_consumer_open(config, &handle, &error);
        emi_config_free(config);
    }
    ~CConsumer() { emi_consumer_close(handle, nullptr); }
    CConsumer(const CConsumer&) = delete;
    CConsumer& operator=(const CConsumer&) = delete;

    std::uint64_t open(const char* name, std::uint32_t flags = 0) {
        std::uint64_t item = 0;
        INFO(error.text);
        REQUIRE(emi_consumer_open_item(handle, "DIRECT_FEED", name, flags, &item, &error) == EMI_OK);
        return item;
    }

    emi_error error{sizeof(emi_error), 0, {}};
    emi_consumer* handle = nullptr;
    int code = EMI_OK;
};

}  // namespace emissary::test
