#include "session/engine/load_dictionary.h"

#include "eta/dictionary/Dictionary.h"
#include "session/engine/Engine.h"

namespace emissary::ema {

SharedDictionary loadDictionary(Engine& engine, const DictionarySettings& settings, std::string& error) {
    auto loaded = std::make_shared<eta::dictionary::Dictionary>();
    auto wrong = loaded->loadFields(settings.fieldFile);
    if (!wrong) wrong = loaded->loadEnums(settings.enumFile);
    if (wrong) {
        error = wrong.text;
        return nullptr;
    }
    for (const std::string& text : loaded->warnings())
        engine.log("DictionaryHandler", LogSeverity::warning, text);
    return loaded;
}

}  // namespace emissary::ema
