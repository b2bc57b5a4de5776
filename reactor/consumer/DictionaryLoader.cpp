// Finds services that offer the dictionaries, requests them, puts the parts together, and moves on when one fails.
#include "consumer/DictionaryLoader.h"

#include "eta/core/printable.h"
#include "eta/dictionary/shared_dictionary.h"
#include "reactor/rdm/Directory.h"

#include <algorithm>

namespace emissary::reactor::consumer {

using namespace eta::codec;

namespace {

using Wanted = ConsumerOptions::DictionaryRequest;

[[nodiscard]] bool listed(const std::vector<std::string>& all, std::string_view name) {
    return std::find(all.begin(), all.end(), name) != all.end();
}
/// The application said which service is to be asked.
[[nodiscard]] bool isNamed(const Wanted& wanted) noexcept {
    return !wanted.serviceName.empty() || wanted.hasServiceId;
}
[[nodiscard]] bool names(const Wanted& wanted, const rdm::Service& s) noexcept {
    return wanted.hasServiceId ? s.id == wanted.serviceId : s.name() == wanted.serviceName;
}

}  // namespace

/// The named service; else one that uses what it provides comes before one that provides it for others.
const rdm::Service* DictionaryLoader::offering(const Download& download) const {
    const ConsumerOptions::DictionaryRequest& wanted = wantedBy(download);
    const rdm::Service* forOthers = nullptr;
    for (const auto& s : directory_->services()) {
        // A service that refused once is asked again only when the directory has changed.
        if (!s->state.up || !s->state.acceptingRequests() || listed(download.failedAt, s->name())) continue;
        if (isNamed(wanted)) {
            if (names(wanted, *s)) return s.get();
            continue;
        }
        if (!rdm::provides(*s, wanted.itemName)) continue;
        if (s->info.dictionariesUsed && listed(*s->info.dictionariesUsed, wanted.itemName)) return s.get();
        if (forOthers == nullptr) forOthers = s.get();
    }
    return forOthers;
}

void DictionaryLoader::onDirectory(const rdm::Directory& directory) {
    directory_ = &directory;
    // The dictionary of an earlier connection is compared by version before it is loaded again.
    if (stage_ == Stage::stale && !adopted_) renew(Stage::comparing);
    if (complete()) return;
    for (Download* download : {&fields_, &enums_}) {
        if (download->handle == 0) download->failedAt.clear();  // what was refused may be served now
        askFor(*download);
    }
}

/// Both are asked for once more. Without anybody to ask, what there is goes on being used.
void DictionaryLoader::renew(Stage stage) {
    heldEnums_.clear();
    enumsEnded_ = false;
    give(fields_);
    give(enums_);
    fields_ = enums_ = {};
    // Nobody offers them at the moment, so the ones at hand go on being used.
    if (offering(fields_) == nullptr || offering(enums_) == nullptr) return renewed();
    stage_ = stage;
    target_ = std::make_shared<eta::dictionary::Dictionary>();
    askFor(fields_);
    askFor(enums_);
}

void DictionaryLoader::renewed() {
    stage_ = Stage::loaded;
    target_.reset();
    heldEnums_.clear();
    enumsEnded_ = false;
    fields_.done = enums_.done = true;
}

/// A part has come: that may have been all.
void DictionaryLoader::moveOn() {
    if (!fields_.done || !enums_.done) return;
    // Versions alone were asked for; they decide whether the rest is needed.
    if (stage_ == Stage::comparing) {
        const auto same = [](const eta::dictionary::Tags& a, const eta::dictionary::Tags& b) {
            return a.version == b.version && a.rtVersion == b.rtVersion && a.dtVersion == b.dtVersion;
        };
        if (same(target_->fieldTags(), dictionary_->fieldTags()) && same(target_->enumTags(), dictionary_->enumTags()))
            return renewed();
        sink_.onWarning("the dictionaries of the provider are others than those in use (version " +
                        eta::printable(target_->fieldTags().version) + ", was " +
                        eta::printable(dictionary_->fieldTags().version) + "): they are loaded again");
        return renew(Stage::reloading);
    }
    // Equal dictionaries of a process share their memory.
    dictionary_ = eta::dictionary::shared(std::move(target_));
    stage_ = Stage::loaded;
}

bool DictionaryLoader::hopeless(const Download& download) const {
    if (download.done || download.handle != 0 || download.failedAt.empty()) return false;
    const ConsumerOptions::DictionaryRequest& wanted = wantedBy(download);
    // Hopeless: each service that offers it has failed, so the start-up can say so without waiting for its timeout.
    return std::none_of(directory_->services().begin(), directory_->services().end(), [&](const auto& s) {
        const bool offers = isNamed(wanted) ? names(wanted, *s) : rdm::provides(*s, wanted.itemName);
        return offers && !listed(download.failedAt, s->name());
    });
}

void DictionaryLoader::askFor(Download& download) {
    if (directory_ == nullptr || download.done || download.handle != 0) return;
    if (const rdm::Service* service = offering(download)) start(download, *service);
}

std::string DictionaryLoader::missing(const Download& download) const {
    const ConsumerOptions::DictionaryRequest& wanted = wantedBy(download);
    const std::string dictionary = "the dictionary '" + wanted.itemName + "'";
    if (download.done) return {};
    if (download.handle != 0 || !download.heard.empty())
        return dictionary + " was asked for at service '" + download.service + "'" +
               (download.heard.empty() ? ", and has not come to its end" : ": " + download.heard);
    const auto offers = [&](const auto& s) {
        return isNamed(wanted) ? names(wanted, *s) : rdm::provides(*s, wanted.itemName);
    };
    if (directory_ != nullptr && std::any_of(directory_->services().begin(), directory_->services().end(), offers))
        return "no service that provides " + dictionary + " is up and accepts requests";
    if (!isNamed(wanted)) return "no service provides " + dictionary + " (DictionariesProvided)";
    return "the service that " + dictionary + " is to come from is not in the source directory";
}

std::string DictionaryLoader::missing() const {
    if (complete()) return {};
    const std::string fields = missing(fields_), enums = missing(enums_);
    return fields + (fields.empty() || enums.empty() ? "" : "; ") + enums;
}

std::string DictionaryLoader::failure() const {
    if (complete() || directory_ == nullptr || renewing()) return {};
    return hopeless(fields_) ? missing(fields_) : hopeless(enums_) ? missing(enums_) : std::string{};
}

void DictionaryLoader::start(Download& download, const rdm::Service& service) {
    download.bytes = 0;
    download.service = service.name();
    download.heard.clear();
    download.handle = ask(wantedBy(download), service);
    if (download.handle == 0 || options_.dictionaryTimeout.count() == 0) return;
    // Parts do not restart the time: the whole dictionary has to come within it.
    reactor_.cancelTimer(download.timer);
    download.timer = reactor_.startTimer(options_.dictionaryTimeout, [this, &download] {
        download.timer = 0;
        const bool renewal = renewing();
        failed(download, "the last part did not come within " + std::to_string(options_.dictionaryTimeout.count()) +
                             " ms (DictionaryRequestTimeOut)");
        if (renewal && renewed_) renewed_();
    });
}

/// The download is over: no more parts are wanted, or none will come.
void DictionaryLoader::ended(Download& download) {
    reactor_.cancelTimer(std::exchange(download.timer, 0));
}

Handle DictionaryLoader::ask(const ConsumerOptions::DictionaryRequest& wanted, const rdm::Service& service) {
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = rdm::kDictionaryDomain;
    const bool version = stage_ == Stage::comparing;
    // A version is asked for once; a dictionary stays open where the configuration says so, for newer versions.
    m.flags = wanted.streaming && !version ? RequestFlag::streaming : std::uint16_t{0};
    m.key.flags = KeyFlag::name | KeyFlag::filter;
    m.key.name = eta::asBytes(wanted.itemName);
    m.key.filter = version ? eta::dictionary::Verbosity::info : wanted.filter;
    Refusal refusal;
    const Handle handle = watchlist_.open({m, service.name()}, {}, refusal, true);
    if (refusal) sink_.onWarning("dictionary request for " + wanted.itemName + " failed: " + refusal.text);
    return handle;
}

void DictionaryLoader::onMessage(const Msg& msg, Handle handle) {
    const bool isFields = handle == fields_.handle, isEnums = handle == enums_.handle;
    if (!isFields && !isEnums) return;
    Download& download = isFields ? fields_ : enums_;
    if (msg.cls == MsgClass::Status) {
        if (!msg.hasState()) return;
        const std::string text = eta::printable(eta::asText(msg.state.text));
        if (!msg.state.isFinal()) return void(download.heard = text);  // the watchlist asks again
        // The handle is gone with a final state; it must not be closed again.
        download.handle = 0;
        ended(download);
        if (!download.done) failed(download, "dictionary refused: " + text);
        return;
    }
    if (msg.cls != MsgClass::Refresh) return;
    const bool last = msg.has(RefreshFlag::complete);
    if (msg.state.stream != StreamState::open) download.handle = 0;  // ended with this message
    if (download.done || msg.containerType != DataType::Series) return;
    // Even an empty part takes memory while it is kept.
    download.bytes += msg.payload.size() + sizeof(std::vector<std::byte>);
    if (download.bytes > options_.maxDictionaryBytes)
        return failed(download, "its parts are larger than " + std::to_string(options_.maxDictionaryBytes) +
                                    " bytes together (MaxDictionarySize)");
    if (isFields) {
        if (const auto e = target_->decodeFields(msg.payload)) return failed(download, e.text);
        if (!last) return;
        fields_.done = true;
        ended(fields_);
        for (const std::string& text : target_->warnings())
            sink_.onWarning(eta::printable(text));
        absorbEnums();
        return moveOn();
    }
    // Enumerations are decoded behind the fields, since they refer to them; parts that come early are kept.
    if (!fields_.done) {
        heldEnums_.emplace_back(msg.payload.begin(), msg.payload.end());
        enumsEnded_ = last;
        if (last) ended(enums_);
        return;
    }
    if (const auto e = target_->decodeEnums(msg.payload)) return failed(download, e.text);
    enums_.done = last;
    if (last) ended(enums_);
    moveOn();
}

void DictionaryLoader::absorbEnums() {
    for (const auto& part : heldEnums_) {
        if (const auto e = target_->decodeEnums(part)) {
            heldEnums_.clear();
            return failed(enums_, e.text);
        }
    }
    heldEnums_.clear();
    enums_.done = std::exchange(enumsEnded_, false);
}

/// The log says why, and the start-up where there is no other service to ask (failure()).
void DictionaryLoader::failed(Download& download, const std::string& text) {
    sink_.onWarning(std::string(&download == &fields_ ? "field" : "enumeration") + " dictionary: " + text);
    if (&download == &enums_) {
        heldEnums_ = {};
        enumsEnded_ = false;
    } else if (!fields_.done) {
        target_->clear();  // an incomplete dictionary is not used
    }
    give(download);
    // A renewal that fails costs nothing: the dictionary at hand stays.
    if (renewing()) {
        give(fields_);
        give(enums_);
        return renewed();
    }
    download.heard = text;
    download.failedAt.push_back(download.service);
    askFor(download);
}

void DictionaryLoader::give(Download& download) {
    ended(download);
    if (Request* r = requests_.find(download.handle); download.handle != 0 && r != nullptr) watchlist_.close(*r);
    download.handle = 0;
}

void DictionaryLoader::connectionLost() {
    heldEnums_.clear();
    enumsEnded_ = false;
    // A dictionary of the application's own is not the connection's, so it survives.
    if (!options_.downloadDictionaries || adopted_) return;
    if (stage_ != Stage::loading) {
        if (renewing()) {
            give(fields_);
            give(enums_);
            renewed();
        }
        stage_ = Stage::stale;
        return;
    }
    give(fields_);
    give(enums_);
    // An incomplete dictionary is not used; the parts come again.
    target_->clear();
    fields_ = enums_ = {};
}

}  // namespace emissary::reactor::consumer
