// ema/session/extensions: hands out the dictionary of a consumer, and gives one to a non-interactive provider.
#include "emissary/dictionary.h"

#include "Access/Include/OmmConsumer.h"
#include "Rdm/Include/DataDictionary.h"
#include "rdm/DictionaryAccess.h"
#include "session/consumer/ConsumerImpl.h"
#include "settings/ConfigAccess.h"

namespace emissary {

namespace ema {

/// Friend of OmmConsumer and ConsumerImpl. Inside callbacks of a start the public object may not have its
/// implementation yet.
struct ConsumerDictionaryAccess {
    [[nodiscard]] static SharedDictionary of(const refinitiv::ema::access::OmmConsumer& consumer) {
        if (!consumer.impl_ || !consumer.impl_->engine().hasLoop()) return nullptr;
        const auto guard = consumer.impl_->engine().locked();
        return consumer.impl_->dictionary_;
    }
};

}  // namespace ema

std::shared_ptr<const refinitiv::ema::rdm::DataDictionary>
dictionaryOf(const refinitiv::ema::access::OmmConsumer& consumer) {
    auto known = ema::ConsumerDictionaryAccess::of(consumer);
    if (!known) return nullptr;
    return ema::DictionaryAccess::makeQueryOnly(std::move(known));
}

refinitiv::ema::access::OmmNiProviderConfig& readWith(refinitiv::ema::access::OmmNiProviderConfig& config,
                                                      const refinitiv::ema::rdm::DataDictionary& dictionary) {
    ema::ConfigAccess::of(config).dictionary = ema::DictionaryAccess::shared(dictionary);
    return config;
}

}  // namespace emissary
