// A dictionary from the two files that the configuration names.
#pragma once

#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"

#include <string>

namespace emissary::ema {

class Engine;

/// One that a session of this process holds already, where the content is the same. Logs what the files' texts warn
/// of. Null when one cannot be read: `error` says which and why.
[[nodiscard]] SharedDictionary loadDictionary(Engine& engine, const DictionarySettings& settings, std::string& error);

}  // namespace emissary::ema
