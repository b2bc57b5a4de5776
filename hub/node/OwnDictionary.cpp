// Reads the dictionary files that the settings name.
#include "hub/node/OwnDictionary.h"

namespace emissary::hub {

std::shared_ptr<const eta::dictionary::Dictionary> readDictionary(const DictionaryFiles& files, eta::Refused& refused) {
    auto dictionary = std::make_shared<eta::dictionary::Dictionary>();
    refused = dictionary->loadFields(files.fieldFile);
    if (!refused) refused = dictionary->loadEnums(files.enumFile);
    if (refused) return nullptr;
    return dictionary;
}

std::vector<reactor::ServedDictionary> served(const DictionaryFiles& files,
                                              const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary) {
    if (!dictionary) return {};
    using Kind = reactor::ServedDictionary::Kind;
    return {{files.fieldName, Kind::fields, dictionary}, {files.enumName, Kind::enums, dictionary}};
}

}  // namespace emissary::hub
