// capi/provider: publishes what changes, and all images again after each login.
#include "provider/NiProvider.h"

#include "calls/FunctionSink.h"
#include "calls/TextFile.h"
#include "calls/calls.h"
#include "consumer/Config.h"
#include "emissary/dictionary.h"
#include "provider/settings.h"

#include <algorithm>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using namespace emissary::capi;

namespace {

constexpr UInt64 kDirectory = 1;  // its handle

std::string configuration(const emi_config& from, const std::string& service, std::uint32_t id,
                          const std::string& dictionaries) {
    std::string provider = value("Name", "P") + value("Channel", "C") + value("Directory", "D");
    if (from.loginTimeoutMs) provider += value("LoginRequestTimeOut", std::to_string(*from.loginTimeoutMs));
    return "<EmaConfig><NiProviderGroup>" + value("DefaultNiProvider", "P") + "<NiProviderList><NiProvider>" +
           provider + "</NiProvider></NiProviderList></NiProviderGroup><ChannelGroup><ChannelList><Channel>" +
           value("Name", "C") +
           value("ChannelType", from.json ? "ChannelType::RSSL_WEBSOCKET" : "ChannelType::RSSL_SOCKET") +
           // Room for a burst of images after a login: all items are published again at once.
           value("GuaranteedOutputBuffers", "5000") + "</Channel></ChannelList></ChannelGroup>" +
           dictionaryGroup(dictionaries) + "<DirectoryGroup>" + value("DefaultDirectory", "D") +
           "<DirectoryList><Directory>" + value("Name", "D") + "<Service>" + value("Name", service) + "<InfoFilter>" +
           value("ServiceId", std::to_string(id)) + "<Capabilities>" + capabilities() +
           "</Capabilities><DictionariesUsed>" + value("DictionariesUsedEntry", "F") +
           "</DictionariesUsed></InfoFilter><StateFilter>" + value("ServiceState", "1") +
           // A server behind this provider has the images; requests are never passed on to it.
           value("AcceptingRequests", "0") + "</StateFilter></Service></Directory></DirectoryList></DirectoryGroup>" +
           "</EmaConfig>";
}

}  // namespace

emi_ni_provider::emi_ni_provider(const emi_config& from, const std::string& service, std::uint32_t serviceId,
                                 const std::string& dictionaries)
    : service_(service), serviceId_(serviceId), log_(std::make_shared<FunctionSink>(from.log, from.logClosure)) {
    // These settings would have no effect here: an error now is better than a setting that is ignored.
    if (from.hasText || !from.file.empty() || !from.consumerName.empty() || !from.clientId.empty() ||
        !from.clientSecret.empty() || from.dispatchMax || from.enumTexts)
        throw Failure(EMI_E_CONFIGURATION, "a non-interactive provider takes host, user, password, position, "
                                           "application_id, websocket and login_timeout_ms only");
    dictionary_.loadFieldDictionary((dictionaries + "/RDMFieldDictionary").c_str());
    dictionary_.loadEnumTypeDictionary((dictionaries + "/enumtype.def").c_str());
    const TextFile text(configuration(from, service, serviceId, dictionaries));
    OmmNiProviderConfig config(text.path().c_str());
    emissary::logTo(config, log_);
    emissary::readWith(config, dictionary_);
    // A thread of the library dispatches: pings and logins go on while the program does something else.
    config.operationModel(OmmNiProviderConfig::ApiDispatchEnum);
    const auto set = [&](const std::string& given,
                         OmmNiProviderConfig& (OmmNiProviderConfig::*setter)(const EmaString&)) {
        if (!given.empty()) (config.*setter)(EmaString(given.c_str()));
    };
    set(from.host, &OmmNiProviderConfig::host);
    set(from.user, &OmmNiProviderConfig::username);
    set(from.password, &OmmNiProviderConfig::password);
    set(from.position, &OmmNiProviderConfig::position);
    set(from.applicationId, &OmmNiProviderConfig::applicationId);
    provider_ = std::make_unique<OmmProvider>(config, *this);
}

emi_ni_provider::~emi_ni_provider() {
    turns_.end();  // while there is a provider that its thread may call
}

std::pair<emi_ni_provider::Item&, bool> emi_ni_provider::itemOf(const Key& key) {
    const auto [place, made] = items_.try_emplace(key);
    if (made) try {
            byHandle_.emplace(lastHandle_ + 1, &place->first);
            place->second.handle = ++lastHandle_;
        } catch (...) {  // both have it, or neither
            items_.erase(place);
            throw;
        }
    return {place->second, made};
}

std::string emi_ni_provider::nameOf(Handle handle) {
    const std::lock_guard hold(lock_);
    const auto found = byHandle_.find(handle);
    return found == byHandle_.end() ? std::string() : found->second->second;
}

void emi_ni_provider::makeImage(const Key& key, const Item& item, RefreshMsg& image) const {
    image.domainType(key.first).name(key.second.c_str()).serviceName(service_.c_str()).solicited(false).complete(true);
    image.state(OmmState::OpenEnum, item.state == EMI_STALE ? OmmState::SuspectEnum : OmmState::OkEnum,
                OmmState::NoneEnum, item.text.c_str());
    if (item.payload) {
        image.payload(**item.payload);
        return;
    }
    FieldList fields;
    encode(item.fields, fields);
    image.payload(fields);
}

template <class Message>
bool emi_ni_provider::submit(const Message& msg, Handle handle) {
    try {
        provider_->submit(msg, handle);
        return true;
    } catch (const OmmInvalidHandleException&) { return false; } catch (const OmmInvalidUsageException& failure) {
        // The images follow with the next login.
        if (failure.getErrorCode() != OmmInvalidUsageException::NoActiveChannelEnum) throw;
        return true;
    }
}

void emi_ni_provider::publish(const std::string& name, const emi_value* values, std::size_t count) {
    // Everything is checked before anything is kept or sent: a bad value leaves the image as it was.
    const KeptFields changed = keep(dictionary_, values, count);
    const Key key{MMT_MARKET_PRICE, name};
    const std::lock_guard order(sending_);
    RefreshMsg image;
    Handle handle = 0;
    bool first = false;
    {
        const std::lock_guard hold(lock_);
        auto [item, made] = itemOf(key);
        for (const auto& [id, field] : changed)
            item.fields[id] = field;
        first = made || item.payload != nullptr;
        item.payload.reset();
        handle = item.handle;
        // Without a login nothing is sent. The image is kept, and the next login publishes it; one that is due has
        // these values too.
        if (!connected_ || item.due) return;
        if (first) makeImage(key, item, image);
        item.sent = true;
    }
    if (!first) {
        FieldList list;
        encode(changed, list);
        if (submit(UpdateMsg().payload(list), handle)) return;
        // The server has closed the stream: an image opens it again.
        const std::lock_guard hold(lock_);
        makeImage(key, itemOf(key).first, image);
    }
    submit(image, handle);
}

void emi_ni_provider::send(const std::string& name, std::uint32_t domain, emi_type type, const emi_value* data,
                           std::size_t count) {
    const Key key{checkedDomain(domain), name};
    if (type != EMI_REFRESH && type != EMI_UPDATE && type != EMI_GENERIC)
        throw Failure(EMI_E_ARGUMENT, "type is EMI_REFRESH, EMI_UPDATE or EMI_GENERIC");
    const DictionarySource source = [this]() -> const DataDictionary& { return dictionary_; };
    const auto payload = std::make_shared<Built>(build(source, data, count));
    const std::lock_guard order(sending_);
    RefreshMsg image;
    Handle handle = 0;
    bool opens = type == EMI_REFRESH;
    {
        const std::lock_guard hold(lock_);
        if (type != EMI_REFRESH && items_.count(key) == 0)
            throw Failure(EMI_E_ITEM, "there is no image of " + name + " yet: send EMI_REFRESH first");
        Item& item = itemOf(key).first;
        handle = item.handle;
        if (type == EMI_REFRESH) item.payload = payload;
        if (!connected_ || (item.due && opens)) return;
        // What is sent on a stream follows its image.
        opens = opens || item.due;
        if (opens) makeImage(key, item, image);
    }
    bool sent = true;
    if (opens) {
        sent = submit(image, handle);
        isDone(key, handle, sent);
    }
    if (type == EMI_UPDATE) sent = submit(UpdateMsg().domainType(key.first).payload(**payload), handle);
    if (type == EMI_GENERIC)
        sent = submit(GenericMsg().domainType(key.first).complete(true).payload(**payload), handle);
    if (!sent) throw Failure(EMI_E_ITEM, "the server has closed " + name + ": send EMI_REFRESH to open it again");
}

void emi_ni_provider::status(const std::string& name, emi_state state, const char* text) {
    const bool open = state == EMI_CURRENT || state == EMI_STALE;
    if (!open && state != EMI_CLOSED && state != EMI_CLOSED_RECOVER)
        throw Failure(EMI_E_ARGUMENT, "state is EMI_CURRENT, EMI_STALE, EMI_CLOSED or EMI_CLOSED_RECOVER");
    const std::lock_guard order(sending_);
    std::vector<std::pair<std::uint16_t, Handle>> streams;
    bool send = false, known = false;
    {
        const std::lock_guard hold(lock_);
        // One item of each domain may have the name.
        for (auto i = items_.begin(); i != items_.end();) {
            const std::uint16_t domain = i->first.first;
            i = items_.lower_bound({static_cast<std::uint16_t>(domain + 1), {}});
            if (const auto item = items_.find({domain, name}); item != items_.end()) {
                known = true;
                Item& meant = item->second;
                // An image that is due has the state. An end is sent all the same where an image has left before: its
                // stream is open when the login was renewed on the same connection.
                if (!meant.due || (!open && meant.sent)) streams.emplace_back(domain, meant.handle);
                if (open) {
                    meant.state = state;
                    meant.text = text;
                } else {
                    byHandle_.erase(meant.handle);
                    items_.erase(item);
                }
            }
        }
        send = connected_;
    }
    if (!known) throw Failure(EMI_E_ITEM, "nothing was published of " + name);
    if (!send) return;
    const auto stream = open                  ? OmmState::OpenEnum
                        : state == EMI_CLOSED ? OmmState::ClosedEnum
                                              : OmmState::ClosedRecoverEnum;
    for (const auto& [domain, handle] : streams) {
        StatusMsg msg;
        msg.domainType(domain);
        submit(msg.state(stream, state == EMI_CURRENT ? OmmState::OkEnum : OmmState::SuspectEnum, OmmState::NoneEnum,
                         text),
               handle);
    }
}

void emi_ni_provider::sendServiceState(OmmProvider& provider, bool up) {
    ElementList state;
    // With the status the items of the service get that state; without, servers tell nobody.
    state.addUInt(ENAME_SVC_STATE, up ? 1 : 0)
        .addUInt(ENAME_ACCEPTING_REQS, 0)
        .addState(ENAME_STATUS, OmmState::OpenEnum, up ? OmmState::OkEnum : OmmState::SuspectEnum, OmmState::NoneEnum,
                  up ? "the service is up" : "the service is down")
        .complete();
    FilterList filters;
    filters.add(SERVICE_STATE_ID, FilterEntry::UpdateEnum, state).complete();
    Map services;
    services.addKeyUInt(serviceId_, MapEntry::UpdateEnum, filters).complete();
    provider.submit(UpdateMsg().domainType(MMT_DIRECTORY).payload(services), kDirectory);
}

void emi_ni_provider::serviceState(bool up) {
    const std::lock_guard order(sending_);
    {
        const std::lock_guard hold(lock_);
        if (up_ == up) return;
        up_ = up;
        // Images that are still due would make their items good again: the state goes behind them once more.
        stateDue_ = !up && connected_ && !due_.empty();
        if (!connected_) return;
    }
    try {
        sendServiceState(*provider_, up);
    } catch (const OmmInvalidUsageException& failure) {
        if (failure.getErrorCode() != OmmInvalidUsageException::NoActiveChannelEnum) throw;
    }
}

bool emi_ni_provider::connected() {
    const std::lock_guard hold(lock_);
    return connected_;
}

void emi_ni_provider::onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) {
    if (msg.getDomainType() != MMT_LOGIN) return;
    {
        const std::lock_guard hold(lock_);
        connected_ = msg.getState().getStreamState() == OmmState::OpenEnum;
        if (!connected_) return;
        stateDue_ = !up_;
        due_.clear();
        for (auto& [key, item] : items_) {
            item.due = true;
            due_.push_back(key);
        }
        std::reverse(due_.begin(), due_.end());
    }
    turns_.begin();
}

void emi_ni_provider::isDone(const Key& key, Handle handle, bool sent) {
    const std::lock_guard hold(lock_);
    if (const auto item = items_.find(key); item != items_.end() && item->second.handle == handle) {
        item->second.due = false;
        item->second.sent = item->second.sent || sent;
    }
}

emi_ni_provider::Sent emi_ni_provider::republishOne(Report& report) {
    RefreshMsg image;
    Key key;
    Handle handle = 0;
    bool state = false;
    {
        const std::lock_guard hold(lock_);
        if (!connected_) return Sent::nothing;  // the next login begins anew
        while (handle == 0 && !due_.empty()) {
            const auto item = items_.find(due_.back());
            if (item == items_.end() || !item->second.due) {
                due_.pop_back();
                continue;
            }
            key = item->first;
            handle = item->second.handle;
            makeImage(key, item->second, image);
        }
        // After the images: servers give the state to the items that they know, and an image that follows would make
        // its item good again.
        state = handle == 0 && std::exchange(stateDue_, false);
    }
    if (handle == 0 && !state) return Sent::nothing;
    bool lost = false;
    const auto failed = [&](const OmmException& failure) {
        lost = true;
        // The first with its reason; the others are counted.
        if (failures_++ == 0)
            report = {emissary::LogSeverity::error,
                      std::string("After the login ") +
                          (state ? "the state of the service" : "the image of " + key.second) +
                          " cannot be sent again: " + failure.getText().c_str()};
    };
    try {
        if (state) sendServiceState(*provider_, false);
        else provider_->submit(image, handle);
    } catch (const OmmInvalidUsageException& failure) {
        const auto code = failure.getErrorCode();
        const bool full = code == OmmInvalidUsageException::NoBuffersEnum;
        // A connection that is lost comes again, and with its login a new list.
        if (full || code == OmmInvalidUsageException::NoActiveChannelEnum) {
            if (full && !std::exchange(toldWaits_, true))
                report = {emissary::LogSeverity::warning, "After the login the server reads too slowly to get all "
                                                          "images again at once: the rest is sent when there is room."};
            const std::lock_guard hold(lock_);
            // One that has come up meanwhile is up.
            stateDue_ = stateDue_ || (state && !up_);
            return Sent::noRoom;
        }
        failed(failure);  // the others are sent
    } catch (const OmmException& failure) { failed(failure); }
    if (!state) isDone(key, handle, !lost);
    return Sent::one;
}

void emi_ni_provider::allIsSent(Report& report) {
    toldWaits_ = false;
    if (const auto failures = std::exchange(failures_, 0); failures > 1)
        report = {emissary::LogSeverity::error,
                  "After the login " + std::to_string(failures - 1) + " more images cannot be sent again."};
}

Turns::Left emi_ni_provider::republish() noexcept {
    constexpr int kMostPerTurn = 64;
    try {
        for (int i = 0; i < kMostPerTurn; ++i) {
            Report report;
            Sent sent = Sent::nothing;
            {
                // Locked for each one alone: publishers need not wait for all.
                sending_.lockAfterOne();
                const std::lock_guard order(sending_, std::adopt_lock);
                sent = republishOne(report);
                if (sent == Sent::nothing) allIsSent(report);
            }
            // Not with the lock: the log function is the program's.
            if (!report.text.empty()) log_->write({{}, report.severity, {}, "NiProvider", report.text});
            if (sent == Sent::noRoom) return Turns::Left::moreWhenThereIsRoom;
            if (sent == Sent::nothing) return Turns::Left::nothing;
        }
        return Turns::Left::more;
    } catch (...) {
        return Turns::Left::moreWhenThereIsRoom;  // of memory
    }
}

void emi_ni_provider::onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) {
    if (msg.getDomainType() != MMT_LOGIN || !msg.hasState()) return;
    const auto& state = msg.getState();
    const std::lock_guard hold(lock_);
    // A status that comes when the connection is there again is followed by the refresh of the login.
    if (state.getStreamState() != OmmState::OpenEnum || state.getDataState() == OmmState::SuspectEnum)
        connected_ = false;
}

void emi_ni_provider::onPostMsg(const PostMsg& post, const OmmProviderEvent& event) {
    static_cast<void>(inbox_.add(EMI_POST, post, nameOf(event.getHandle()), service_));
}

void emi_ni_provider::onGenericMsg(const GenericMsg& msg, const OmmProviderEvent& event) {
    static_cast<void>(inbox_.add(EMI_GENERIC, msg, nameOf(event.getHandle()), service_));
}

void emi_ni_provider::onClose(const ReqMsg&, const OmmProviderEvent&) {
    // The item stays: what is published next opens its stream again.
}
