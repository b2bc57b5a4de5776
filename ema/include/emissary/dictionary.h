// The dictionary that a consumer reads field lists with: an addition to the EMA API.
#pragma once

#include <memory>

namespace refinitiv::ema::access {
class OmmConsumer;
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

}  // namespace emissary
