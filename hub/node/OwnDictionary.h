// The dictionary that a hub reads from files (hub.md 3.4).
#pragma once

#include "eta/core/Refused.h"
#include "eta/dictionary/Dictionary.h"
#include "hub/config/HubSettings.h"
#include "reactor/provider/ProviderRole.h"

#include <memory>
#include <vector>

namespace emissary::hub {

/// Both files; null with the reason, which names the file and the line.
[[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> readDictionary(const DictionaryFiles& files,
                                                                                eta::Refused& refused);
/// What clients and publishers may ask for.
[[nodiscard]] std::vector<reactor::ServedDictionary>
served(const DictionaryFiles& files, const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary);

}  // namespace emissary::hub
