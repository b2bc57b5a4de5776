// Dictionaries that field lists are read with: that of a consumer, and one for a non-interactive provider. Additions to
// the EMA API.
#pragma once

#include <memory>

namespace refinitiv::ema::access {
class OmmConsumer;
class OmmNiProviderConfig;
}  // namespace refinitiv::ema::access
namespace refinitiv::ema::rdm {
class DataDictionary;
}  // namespace refinitiv::ema::rdm

namespace emissary {

/// The dictionary that the consumer has now, for looking up fields and texts of enumerated values; null while it has
/// none. What is handed out never changes, lives on without the consumer, and may be read by one thread at a time; a
/// dictionary that is loaded anew, after a reconnect for example, is another object. Any thread, also inside callbacks;
/// waits for the callback that is running, if another thread runs one. The consumer must live until the call returns.
/// Throws std::bad_alloc.
[[nodiscard]] std::shared_ptr<const refinitiv::ema::rdm::DataDictionary>
dictionaryOf(const refinitiv::ema::access::OmmConsumer& consumer);

/// Has the provider made from `config` read with this dictionary what its server passes on: fields of posts and generic
/// messages then have names, types and values in its callbacks; without it they have their ids alone. Over JSON the
/// names that are sent come from it too, in the place of the file of the configured services. Takes what `dictionary`
/// holds now; later changes to it do not count. Returns `config`.
refinitiv::ema::access::OmmNiProviderConfig& readWith(refinitiv::ema::access::OmmNiProviderConfig& config,
                                                      const refinitiv::ema::rdm::DataDictionary& dictionary);

}  // namespace emissary
