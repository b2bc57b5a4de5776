// ema/session/engine: finds and reads the two files, and shares the dictionary with other instances.
#include "session/engine/load_dictionary.h"

#include "config/options/dictionary_files.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/dictionary/shared_dictionary.h"
#include "session/engine/Engine.h"

#include <utility>

namespace emissary::ema {

/// Returns null and says why; what that means for an instance is the caller's decision.
SharedDictionary loadDictionary(Engine& engine, const DictionarySettings& settings, std::string& error) {
    auto loaded = std::make_shared<eta::dictionary::Dictionary>();
    const auto files = parameters::findDictionary(settings.fieldFile, settings.enumFile);
    auto wrong = loaded->loadFields(files.fieldFile);
    if (!wrong) wrong = loaded->loadEnums(files.enumFile);
    if (wrong) {
        error = wrong.text;
        if (!files.lookedIn.empty()) error += "; nor are both files installed: looked in " + files.lookedIn;
        return nullptr;
    }
    // Files elsewhere than the configuration says are named in every log.
    engine.log("DictionaryHandler", files.installed ? LogSeverity::success : LogSeverity::verbose,
               "The dictionary was read from '" + files.fieldFile + "' and '" + files.enumFile + "'" +
                   (files.installed ? ", which are installed: the working folder has neither '" + settings.fieldFile +
                                          "' nor '" + settings.enumFile + "'."
                                    : "."));
    for (const std::string& text : loaded->warnings())
        engine.log("DictionaryHandler", LogSeverity::warning, text);
    // Instances with equal dictionaries have one in memory; this copy is freed when another instance has it already.
    return eta::dictionary::shared(std::move(loaded));
}

}  // namespace emissary::ema
