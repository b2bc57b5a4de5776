#include "Access/Include/OmmConsumerConfig.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ReqMsg.h"
#include "EmaRdm.h"
#include "Rdm/Include/DataDictionary.h"
#include "config/ConsumerConfigImpl.h"
#include "config/ProgrammaticConfigReader.h"
#include "raise.h"

namespace refinitiv::ema::access {

using emissary::ema::ConsumerConfigImpl;
using emissary::ema::throwInvalidUsage;

namespace {

std::string text(const EmaString& s) { return {s.c_str(), s.length()}; }

std::string fileOf(const EmaString* path) { return path == nullptr ? std::string() : text(*path); }

ConsumerConfigImpl* make(const EmaString* path) {
    auto impl = std::make_unique<ConsumerConfigImpl>();
    emissary::ema::loadConfigFile(fileOf(path), impl->configuration);
    emissary::ema::checkDefaults(impl->configuration);
    return impl.release();
}

}  // namespace

OmmConsumerConfig::OmmConsumerConfig() : impl_(make(nullptr)) {}
OmmConsumerConfig::OmmConsumerConfig(const EmaString& path) : impl_(make(&path)) {}
OmmConsumerConfig::~OmmConsumerConfig() { delete impl_; }

OmmConsumerConfig& OmmConsumerConfig::clear() {
    impl_->calls = {};
    impl_->configuration.programmatic.clear();
    impl_->loginRequest.reset();
    impl_->directoryRequest.reset();
    impl_->fieldDictionaryRequest.reset();
    impl_->enumDictionaryRequest.reset();
    impl_->dictionary = nullptr;
    impl_->ownDictionary.reset();
    return *this;
}
