#include "consumer/DictionaryLoader.h"

#include "eta/core/printable.h"

#include <algorithm>

namespace emissary::reactor::consumer {

using namespace eta::codec;

/// The named service, else the first one that is up, accepts requests and both uses and provides the dictionary.
const rdm::Service* DictionaryLoader::offering(const rdm::Directory& directory,
                                               const ConsumerOptions::DictionaryRequest& wanted) {
    for (const auto& s : directory.services()) {
        if (!s->state.up || !s->state.acceptingRequests()) continue;
        if (!wanted.serviceName.empty() || wanted.hasServiceId) {
            if (wanted.hasServiceId ? s->id == wanted.serviceId : s->name() == wanted.serviceName) return s.get();
            continue;
        }
        const auto lists = [&](const std::optional<std::vector<std::string>>& names) {
            return names && std::find(names->begin(), names->end(), wanted.itemName) != names->end();
        };
        if (lists(s->info.dictionariesProvided) && lists(s->info.dictionariesUsed)) return s.get();
    }
    return nullptr;
}

void DictionaryLoader::onDirectory(const rdm::Directory& directory) {
    if (complete()) return;
    const auto askFor = [&](Download& download, const ConsumerOptions::DictionaryRequest& wanted) {
        if (download.done || download.handle != 0) return;
        if (const rdm::Service* service = offering(directory, wanted)) start(download, wanted, *service);
    };
    askFor(fields_, options_.fieldDictionary);
    askFor(enums_, options_.enumDictionary);
}

void DictionaryLoader::start(Download& download, const ConsumerOptions::DictionaryRequest& wanted,
                             const rdm::Service& service) {
    download.bytes = 0;
    download.handle = ask(wanted, service);
    if (download.handle == 0 || options_.dictionaryTimeout.count() == 0) return;
    reactor_.cancelTimer(download.timer);
    download.timer = reactor_.startTimer(options_.dictionaryTimeout, [this, &download] {
        download.timer = 0;
        failed(download, "the last part did not come within " + std::to_string(options_.dictionaryTimeout.count()) +
                             " ms (DictionaryRequestTimeOut)");
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
    m.flags = wanted.streaming ? RequestFlag::streaming : std::uint16_t{0};
    m.key.flags = KeyFlag::name | KeyFlag::filter;
    m.key.name = eta::asBytes(wanted.itemName);
    m.key.filter = wanted.filter;
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
        if (!msg.hasState() || !msg.state.isFinal()) return;
        download.handle = 0;
        ended(download);
        if (!download.done) failed(download, "dictionary refused: " + eta::printable(eta::asText(msg.state.text)));
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
        if (const auto e = dictionary_->decodeFields(msg.payload)) return failed(download, e.text);
        if (!last) return;
        fields_.done = true;
        ended(fields_);
        for (const std::string& text : dictionary_->warnings())
            sink_.onWarning(eta::printable(text));
        absorbEnums();
        return;
    }
    if (!fields_.done) {
        heldEnums_.emplace_back(msg.payload.begin(), msg.payload.end());
        enumsEnded_ = last;
        if (last) ended(enums_);
        return;
    }
    if (const auto e = dictionary_->decodeEnums(msg.payload)) return failed(download, e.text);
    enums_.done = last;
    if (last) ended(enums_);
}

void DictionaryLoader::absorbEnums() {
    for (const auto& part : heldEnums_) {
        if (const auto e = dictionary_->decodeEnums(part)) {
            heldEnums_.clear();
            return failed(enums_, e.text);
        }
    }
    heldEnums_.clear();
    enums_.done = std::exchange(enumsEnded_, false);
}

/// The start-up timeout tells the application; the log says why.
void DictionaryLoader::failed(Download& download, const std::string& text) {
    sink_.onWarning(std::string(&download == &fields_ ? "field" : "enumeration") + " dictionary: " + text);
    if (&download == &enums_) {
        heldEnums_ = {};
        enumsEnded_ = false;
    }
    if (!fields_.done && dictionary_) dictionary_->clear();  // an incomplete dictionary is not used
    give(download);
}

void DictionaryLoader::give(Download& download) {
    ended(download);
    if (Request* r = requests_.find(download.handle); download.handle != 0 && r != nullptr) watchlist_.close(*r);
    download.handle = 0;
}

void DictionaryLoader::connectionLost() {
    heldEnums_.clear();
    enumsEnded_ = false;
    if (complete()) return;
    give(fields_);
    give(enums_);
    // An incomplete dictionary is not used; the parts come again.
    if (dictionary_) dictionary_->clear();
    fields_ = enums_ = {};
}

}  // namespace emissary::reactor::consumer
