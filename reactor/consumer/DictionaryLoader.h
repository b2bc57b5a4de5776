// Downloads the field and enumeration dictionaries before the consumer is ready (session.md section 3, step 4).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/consumer/consumer_types.h"
#include "reactor/rdm/Directory.h"
#include "watchlist/Watchlist.h"

#include <memory>
#include <vector>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class DictionaryLoader {
public:
    DictionaryLoader(Reactor& reactor, Watchlist& watchlist, RequestTable& requests, ConsumerSink& sink,
                     const ConsumerOptions& options)
        : reactor_(reactor), watchlist_(watchlist), requests_(requests), sink_(sink), options_(options),
          dictionary_(options.downloadDictionaries ? std::make_shared<eta::dictionary::Dictionary>() : nullptr) {}
    ~DictionaryLoader() {
        reactor_.cancelTimer(fields_.timer);
        reactor_.cancelTimer(enums_.timer);
    }
    DictionaryLoader(const DictionaryLoader&) = delete;
    DictionaryLoader& operator=(const DictionaryLoader&) = delete;

    [[nodiscard]] bool complete() const noexcept {
        return !options_.downloadDictionaries || adopted_ || (fields_.done && enums_.done);
    }
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept {
        return adopted_ ? adopted_ : dictionary_;
    }
    /// For conversions: what was downloaded, or comes from files; null when there is none.
    [[nodiscard]] const eta::dictionary::Dictionary* inUse() const noexcept {
        const auto* downloaded = adopted_ ? adopted_.get() : dictionary_.get();
        return downloaded != nullptr ? downloaded : options_.localDictionary.get();
    }
    /// Another session's dictionary serves; nothing is asked for any more. No effect when the own one is complete.
    void adopt(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        if (complete()) return;
        adopted_ = std::move(dictionary);
        give(fields_);
        give(enums_);
    }

    /// The directory changed: asks the first service that offers what is needed, if no service was asked yet.
    void onDirectory(const rdm::Directory& directory);
    void onMessage(const eta::codec::Msg& msg, Handle handle);
    /// A download that was under way starts over on the next connection.
    void connectionLost();

private:
    struct Download {
        Handle handle = 0;
        bool done = false;
        TimerId timer = 0;      ///< when the last part must have come
        std::size_t bytes = 0;  ///< of the parts that came
    };
    void start(Download& download, const ConsumerOptions::DictionaryRequest& wanted, const rdm::Service& service);
    void ended(Download& download);
    [[nodiscard]] Handle ask(const ConsumerOptions::DictionaryRequest& wanted, const rdm::Service& service);
    [[nodiscard]] static const rdm::Service* offering(const rdm::Directory& directory,
                                                      const ConsumerOptions::DictionaryRequest& wanted);
    void give(Download& download);
    void failed(Download& download, const std::string& text);
    void absorbEnums();

    Reactor& reactor_;
    Watchlist& watchlist_;
    RequestTable& requests_;
    ConsumerSink& sink_;
    const ConsumerOptions& options_;
    std::shared_ptr<eta::dictionary::Dictionary> dictionary_;
    std::shared_ptr<const eta::dictionary::Dictionary> adopted_;
    Download fields_, enums_;
    std::vector<std::vector<std::byte>> heldEnums_;  // parts that came before the fields they refer to
    bool enumsEnded_ = false;
};

}  // namespace emissary::reactor::consumer
