// Downloads the field and enumeration dictionaries before the consumer is ready (session.md section 3, step 4).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/consumer/consumer_types.h"
#include "reactor/rdm/Directory.h"
#include "watchlist/Watchlist.h"

#include <functional>
#include <memory>
#include <vector>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
///
/// On a connection that is made again the provider is asked for the versions of what was downloaded; where they differ
/// from those in use, both dictionaries are loaded anew and take the old ones' place together. What goes wrong then
/// leaves the old ones in use.
class DictionaryLoader {
public:
    DictionaryLoader(Reactor& reactor, Watchlist& watchlist, RequestTable& requests, ConsumerSink& sink,
                     const ConsumerOptions& options)
        : reactor_(reactor), watchlist_(watchlist), requests_(requests), sink_(sink), options_(options),
          target_(options.downloadDictionaries ? std::make_shared<eta::dictionary::Dictionary>() : nullptr),
          dictionary_(target_) {}
    ~DictionaryLoader() {
        reactor_.cancelTimer(fields_.timer);
        reactor_.cancelTimer(enums_.timer);
    }
    DictionaryLoader(const DictionaryLoader&) = delete;
    DictionaryLoader& operator=(const DictionaryLoader&) = delete;

    /// `call` is made when a renewal has ended of itself, without a message.
    void whenRenewed(std::function<void()> call) { renewed_ = std::move(call); }
    [[nodiscard]] bool complete() const noexcept {
        return !options_.downloadDictionaries || adopted_ || stage_ == Stage::loaded || stage_ == Stage::stale;
    }
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept {
        return adopted_ ? adopted_ : dictionary_;
    }
    /// For conversions: what was downloaded, or comes from files, else the spare one; null when there is none.
    [[nodiscard]] const eta::dictionary::Dictionary* inUse() const noexcept {
        const auto* downloaded = adopted_ ? adopted_.get() : dictionary_.get();
        if (downloaded != nullptr && (downloaded->hasFields() || spare_ == nullptr)) return downloaded;
        return options_.localDictionary != nullptr ? options_.localDictionary.get() : spare_.get();
    }
    /// For conversions, as long as there is none of the channel's own.
    void setSpare(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) noexcept {
        spare_ = std::move(dictionary);
    }
    /// Another session's dictionary serves; nothing is asked for any more. No effect once the own one was complete.
    void adopt(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        if (complete() || stage_ != Stage::loading) return;
        adopted_ = std::move(dictionary);
        give(fields_);
        give(enums_);
    }

    /// The directory changed: asks the first service that offers what is needed, if no service was asked yet. It lives
    /// as long as this object.
    void onDirectory(const rdm::Directory& directory);
    /// What is still missing, and why, as a sentence; empty when nothing is.
    [[nodiscard]] std::string missing() const;
    /// Every service that offers a dictionary has refused it, or sent what cannot be used: which, and why. Empty while
    /// there is hope.
    [[nodiscard]] std::string failure() const;
    void onMessage(const eta::codec::Msg& msg, Handle handle);
    /// A download that was under way starts over on the next connection.
    void connectionLost();

private:
    enum class Stage : std::uint8_t {
        loading,    ///< the first download
        loaded,     ///< complete
        stale,      ///< complete, of a connection that was lost
        comparing,  ///< asks for the versions that there are now
        reloading,  ///< they differ: downloads anew
    };
    struct Download {
        Handle handle = 0;
        bool done = false;
        TimerId timer = 0;                    ///< when the last part must have come
        std::size_t bytes = 0;                ///< of the parts that came
        std::string service{};                ///< asked last
        std::string heard{};                  ///< from it, when that was not the dictionary
        std::vector<std::string> failedAt{};  ///< services that are not asked until the directory changes
    };
    [[nodiscard]] bool renewing() const noexcept { return stage_ == Stage::comparing || stage_ == Stage::reloading; }
    void renew(Stage stage);
    void renewed();
    void moveOn();
    void start(Download& download, const rdm::Service& service);
    void ended(Download& download);
    [[nodiscard]] Handle ask(const ConsumerOptions::DictionaryRequest& wanted, const rdm::Service& service);
    /// A service that can be asked now; null when there is none.
    [[nodiscard]] const rdm::Service* offering(const Download& download) const;
    [[nodiscard]] std::string missing(const Download& download) const;
    [[nodiscard]] bool hopeless(const Download& download) const;
    [[nodiscard]] const ConsumerOptions::DictionaryRequest& wantedBy(const Download& download) const noexcept {
        return &download == &fields_ ? options_.fieldDictionary : options_.enumDictionary;
    }
    void askFor(Download& download);
    void give(Download& download);
    void failed(Download& download, const std::string& text);
    void absorbEnums();

    Reactor& reactor_;
    Watchlist& watchlist_;
    RequestTable& requests_;
    ConsumerSink& sink_;
    const ConsumerOptions& options_;
    Stage stage_ = Stage::loading;
    std::shared_ptr<eta::dictionary::Dictionary> target_;  // what is received goes here; null: nothing is awaited
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;  // shared with other sessions once complete
    std::shared_ptr<const eta::dictionary::Dictionary> adopted_, spare_;
    const rdm::Directory* directory_ = nullptr;  // null before the first onDirectory()
    Download fields_, enums_;
    std::vector<std::vector<std::byte>> heldEnums_;  // parts that came before the fields they refer to
    bool enumsEnded_ = false;
    std::function<void()> renewed_;
};

}  // namespace emissary::reactor::consumer
