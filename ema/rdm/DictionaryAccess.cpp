// Query-only objects for dictionaries of sessions, one for each dictionary.
#include "rdm/DictionaryAccess.h"

#include "rdm/DictionaryImpl.h"

namespace emissary::ema {

using refinitiv::ema::rdm::DataDictionary;

SharedDictionary DictionaryAccess::shared(const DataDictionary& dictionary) {
    // The pointer and not the object: sessions keep the dictionary after the application's object has gone.
    return dictionary.impl_->current;
}

const eta::dictionary::Dictionary& DictionaryAccess::get(const DataDictionary& dictionary) {
    return dictionary.impl_->get();
}

std::unique_ptr<DataDictionary> DictionaryAccess::makeQueryOnly(SharedDictionary dictionary) {
    auto impl = std::make_unique<DataDictionary::Impl>(std::move(dictionary), true);
    return std::unique_ptr<DataDictionary>(new DataDictionary(std::move(impl)));
}

const DataDictionary& DictionaryAccess::queryOnly(const eta::dictionary::Dictionary& dictionary) {
    struct Known {
        std::weak_ptr<const eta::dictionary::Dictionary> dictionary;
        std::unique_ptr<DataDictionary> object;
    };
    static std::mutex mutex;
    static boost::unordered_flat_map<const eta::dictionary::Dictionary*, Known> known;  // guarded by mutex

    const std::lock_guard lock(mutex);
    // Dictionaries come and go with sessions: there are few, and the next look-up removes those that are gone.
    boost::unordered::erase_if(known, [](const auto& item) { return item.second.dictionary.expired(); });
    Known& entry = known[&dictionary];
    if (!entry.object) {
        entry.dictionary = dictionary.weak_from_this();
        // This pointer does not own, otherwise dictionary and object would keep each other alive.
        entry.object = makeQueryOnly(SharedDictionary(SharedDictionary(), &dictionary));
    }
    return *entry.object;
}

}  // namespace emissary::ema
