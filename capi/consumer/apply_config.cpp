// capi/consumer: a Consumer entry of the configuration, made of what was set by call.
#include "consumer/apply_config.h"

#include "calls/FunctionSink.h"
#include "calls/calls.h"
#include "consumer/Config.h"

#include <memory>
#include <string>

namespace emissary::capi {

using namespace refinitiv::ema::access;

namespace {

constexpr const char* kOwnName = "Emissary_C";

/// The Consumer entry that holds what was set by call.
void addEntry(const emi_config& from, OmmConsumerConfig& to, const std::string& name, bool isDefault) {
    ElementList values;
    if (from.loginTimeoutMs) values.addUInt("LoginRequestTimeOut", *from.loginTimeoutMs);
    // The value of a configuration file stays as it is unless the caller set another one.
    if (isDefault || from.dispatchMax) values.addUInt("MaxDispatchCountUserThread", from.dispatchMax.value_or(1000));
    values.complete();
    Map list;
    list.addKeyAscii(name.c_str(), MapEntry::AddEnum, values).complete();
    ElementList group;
    if (isDefault) group.addAscii("DefaultConsumer", name.c_str());
    group.addMap("ConsumerList", list).complete();
    Map whole;
    whole.addKeyAscii("ConsumerGroup", MapEntry::AddEnum, group).complete();
    to.config(whole);
}

}  // namespace

// Settings without an effect are refused here: the library would ignore them without a word.
void apply(const emi_config& from, OmmConsumerConfig& to) {
    const bool hasFile = from.hasText || !from.file.empty();
    if (hasFile && from.consumerName.empty() && (from.loginTimeoutMs || from.dispatchMax))
        throw Failure(EMI_E_CONFIGURATION,
                      "login_timeout_ms and dispatch_max need consumer_name beside a configuration file");
    if (!hasFile && !from.consumerName.empty())
        throw Failure(EMI_E_CONFIGURATION, "consumer_name needs a configuration file or text");
    if (!hasFile) addEntry(from, to, kOwnName, true);
    else if (!from.consumerName.empty()) addEntry(from, to, from.consumerName, false);
    const auto set = [&](const std::string& value, OmmConsumerConfig& (OmmConsumerConfig::*setter)(const EmaString&)) {
        if (!value.empty()) (to.*setter)(EmaString(value.c_str()));
    };
    set(from.host, &OmmConsumerConfig::host);
    set(from.user, &OmmConsumerConfig::username);
    set(from.password, &OmmConsumerConfig::password);
    set(from.position, &OmmConsumerConfig::position);
    set(from.applicationId, &OmmConsumerConfig::applicationId);
    set(from.clientId, &OmmConsumerConfig::clientId);
    set(from.clientSecret, &OmmConsumerConfig::clientSecret);
    set(from.consumerName, &OmmConsumerConfig::consumerName);
    if (from.json) to.channelType(EmaConfig::ConnectionTypeEnum::WEBSOCKET);
    // Without choice: in the other model a thread of the library would call back beside the caller's code, and the
    // interface promises that only dispatching calls back.
    to.operationModel(OmmConsumerConfig::UserDispatchEnum);
    emissary::logTo(to, std::make_shared<FunctionSink>(from.log, from.logClosure));
}

}  // namespace emissary::capi
