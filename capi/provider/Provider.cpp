// capi/provider: answers requests with the images that are kept, and sends what changes to their streams.
#include "provider/Provider.h"

#include "calls/TextFile.h"
#include "calls/calls.h"
#include "emissary/LogSink.h"
#include "emissary/logins.h"
#include "emissary/port.h"
#include "provider/asked.h"
#include "provider/settings.h"

#include <algorithm>
#include <exception>
#include <iterator>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using namespace emissary::capi;

namespace {

/// Records of a provider for tests go nowhere.
struct NoSink final : emissary::LogSink {
    void write(const emissary::LogRecord&) override {}
};

std::string configuration(const std::string& port, const std::vector<std::string>& services,
                          const std::string& dictionaries, bool json) {
    std::string entries;
    for (std::size_t i = 0; i < services.size(); ++i)
        entries += "<Service>" + value("Name", services[i]) + "<InfoFilter>" +
                   value("ServiceId", std::to_string(i + 1)) + "<Capabilities>" +
                   value("CapabilitiesEntry", "MMT_DICTIONARY") + capabilities() +
                   "</Capabilities><DictionariesProvided>" + value("DictionariesProvidedEntry", "F") +
                   "</DictionariesProvided><DictionariesUsed>" + value("DictionariesUsedEntry", "F") +
                   "</DictionariesUsed></InfoFilter><StateFilter>" + value("ServiceState", "1") +
                   value("AcceptingRequests", "1") + "</StateFilter></Service>";
    return "<EmaConfig><IProviderGroup>" + value("DefaultIProvider", "P") + "<IProviderList><IProvider>" +
           value("Name", "P") + value("Server", "S") + value("Directory", "D") +
           "</IProvider></IProviderList></IProviderGroup><ServerGroup><ServerList><Server>" + value("Name", "S") +
           value("ServerType", json ? "ServerType::RSSL_WEBSOCKET" : "ServerType::RSSL_SOCKET") + value("Port", port) +
           value("GuaranteedOutputBuffers", "5000") + "</Server></ServerList></ServerGroup>" +
           dictionaryGroup(dictionaries) + "<DirectoryGroup>" + value("DefaultDirectory", "D") +
           "<DirectoryList><Directory>" + value("Name", "D") + entries +
           "</Directory></DirectoryList></DirectoryGroup></EmaConfig>";
}

void encodeView(const KeptFields& fields, const std::set<std::int16_t>& view, FieldList& list) {
    if (view.empty()) return encode(fields, list);
    for (const auto& [id, field] : fields)
        if (view.count(id) != 0) encode(id, field, list);
    list.complete();
}

// `user` may be a token.
void acceptLogin(OmmProvider& provider, UInt64 handle, const EmaString& user, const std::string& text) {
    ElementList attributes;
    // Consumers may not post, nor ask for views, until the login has announced both.
    attributes.addUInt(ENAME_SUPPORT_POST, 1).addUInt(ENAME_SUPPORT_VIEW, 1).complete();
    RefreshMsg answer;
    answer.domainType(MMT_LOGIN).name(user).nameType(USER_NAME).solicited(true).complete(true);
    answer.attrib(attributes).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, text.c_str());
    provider.submit(answer, handle);
}

void sayOfLogin(OmmProvider& provider, UInt64 handle, const EmaString& user, OmmState::StreamState stream,
                OmmState::DataState data, OmmState::StatusCode code, const std::string& text) {
    StatusMsg status;
    status.domainType(MMT_LOGIN).name(user).nameType(USER_NAME);
    status.state(stream, data, static_cast<UInt8>(code), text.c_str());
    provider.submit(status, handle);
}

}  // namespace

emi_provider::emi_provider(const std::string& port, const std::vector<std::string>& services,
                           const std::string& dictionaries, bool json)
    : services_(services) {
    dictionary_.loadFieldDictionary((dictionaries + "/RDMFieldDictionary").c_str());
    dictionary_.loadEnumTypeDictionary((dictionaries + "/enumtype.def").c_str());
    const TextFile text(configuration(port, services_, dictionaries, json));
    OmmIProviderConfig config(text.path().c_str());
    emissary::logTo(config, std::make_shared<NoSink>());
    // The program may take logins and answer them later.
    emissary::holdUntilLogin(config);
    // Requests are answered on a thread of the library; lock_ guards what it shares with the program's calls.
    config.operationModel(OmmIProviderConfig::ApiDispatchEnum);
    provider_ = std::make_unique<OmmProvider>(config, *this);
}

emi_provider::~emi_provider() {
    owed_.end();  // while there is a provider that its thread may call
}

// A snapshot that waited ends with its image.
std::vector<std::pair<UInt64, emissary::capi::Stream>> emi_provider::streamsToAnswer(const Name& name,
                                                                                     std::uint16_t domain) {
    // Copies: submit() is called without lock_, since the library may call back into this class.
    auto found = streams_.of(name);
    for (const auto& [handle, stream] : found) {
        if (!stream.waits || stream.domain != domain) continue;
        if (stream.streaming) streams_.find(handle)->waits = false;
        else streams_.forget(handle);
    }
    return found;
}

RefreshMsg& emi_provider::answerTo(const Stream& stream, RefreshMsg& image) {
    image.domainType(stream.domain).name(stream.name.item.c_str()).solicited(true).complete(true);
    image.privateStream(stream.isPrivate);
    return image.state(stream.streaming ? OmmState::OpenEnum : OmmState::NonStreamingEnum, OmmState::OkEnum,
                       OmmState::NoneEnum, "");
}

emi_provider::Name emi_provider::nameOf(Handle handle) {
    const std::lock_guard hold(lock_);
    const Stream* const stream = streams_.find(handle);
    return stream == nullptr ? Name() : stream->name;
}

bool emi_provider::handOut(emi_type type, const Msg& msg, const Name& stream, std::uint64_t number) {
    static const std::string none;
    const auto place = std::size_t{stream.service} - 1;
    return inbox_.add(type, msg, stream.item, place < services_.size() ? services_[place] : none, number);
}

std::uint16_t emi_provider::serviceNumber(const char* service) const {
    const auto found = service == nullptr ? services_.begin() : std::find(services_.begin(), services_.end(), service);
    if (found != services_.end()) return static_cast<std::uint16_t>(found - services_.begin() + 1);
    std::string there;
    for (const auto& name : services_)
        there += (there.empty() ? "" : ", ") + name;
    throw Failure(EMI_E_ARGUMENT, std::string("no service is called '") + service + "'; there is " + there);
}

template <class Make>
void emi_provider::toAll(const std::vector<std::pair<Handle, Stream>>& streams, Make&& make) {
    std::exception_ptr failure;  // the first; one who does not read must not keep it from the others
    for (const auto& [handle, stream] : streams)
        try {
            make(handle, stream);
        } catch (const OmmException&) {
            // The library refuses handles of streams that were closed meanwhile; onClose() has been here then.
            const std::lock_guard hold(lock_);
            if (streams_.find(handle) != nullptr && !failure) failure = std::current_exception();
        } catch (const Failure&) {
            if (!failure) failure = std::current_exception();
        }
    if (failure) std::rethrow_exception(failure);
}

void emi_provider::publish(const Name& name, const emi_value* values, std::size_t count) {
    const KeptFields changed = keep(dictionary_, values, count);
    const std::lock_guard order(sending_);
    std::vector<std::pair<Handle, Stream>> open;
    KeptFields all;
    {
        const std::lock_guard hold(lock_);
        auto& image = images_[name];
        for (const auto& [id, field] : changed)
            image[id] = field;
        open = streamsToAnswer(name, MMT_MARKET_PRICE);
        if (std::any_of(open.begin(), open.end(), [](const auto& stream) { return stream.second.waits; })) all = image;
    }
    FieldList whole;
    // Encoded once for all streams without a view, which are the most.
    encode(changed, whole);
    toAll(open, [&](Handle handle, const Stream& stream) {
        if (stream.domain != MMT_MARKET_PRICE) return;
        if (owed_.has(stream.client, handle)) return;  // it is in the image that is owed
        if (stream.waits) {
            FieldList fields;
            encodeView(all, stream.view, fields);
            RefreshMsg image;
            return submit(*provider_, handle, stream, answerTo(stream, image).payload(fields));
        }
        if (stream.view.empty()) return provider_->submit(UpdateMsg().payload(whole), handle);
        FieldList part;
        encodeView(changed, stream.view, part);
        provider_->submit(UpdateMsg().payload(part), handle);
    });
}

void emi_provider::send(const Name& name, std::uint32_t domain, emi_type type, const emi_value* data,
                        std::size_t count) {
    const auto wanted = checkedDomain(domain);
    if (type != EMI_REFRESH && type != EMI_UPDATE && type != EMI_GENERIC)
        throw Failure(EMI_E_ARGUMENT, "type is EMI_REFRESH, EMI_UPDATE or EMI_GENERIC");
    const DictionarySource source = [this]() -> const DataDictionary& { return dictionary_; };
    const auto payload = std::make_shared<Built>(build(source, data, count));
    const std::lock_guard order(sending_);
    std::vector<std::pair<Handle, Stream>> open;
    RefreshMsg image;
    {
        const std::lock_guard hold(lock_);
        open = type == EMI_REFRESH ? streamsToAnswer(name, wanted) : streams_.of(name);
        if (type == EMI_REFRESH) {
            otherImages_[{wanted, name}] = payload;
            image.payload(**payload);  // under the lock: others read the same container
        }
    }
    image.domainType(wanted).name(name.item.c_str()).solicited(false).complete(true);
    image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "");
    toAll(open, [&](Handle handle, const Stream& stream) {
        if (stream.domain != wanted) return;
        if (owed_.has(stream.client, handle)) {
            if (type == EMI_REFRESH) return;  // it is in the image that is owed
            // It is in no image: in front of one that cannot leave it would be lost.
            if (!owed_.sendNow(stream.client, handle))
                throw Failure(EMI_E_USAGE, "a client of " + name.item + " reads too slowly: its output is full");
        }
        if (stream.waits) {
            if (type != EMI_REFRESH) return;  // nothing is sent in front of an image
            RefreshMsg first(image);          // has the payload, whose container others read
            return submit(*provider_, handle, stream, answerTo(stream, first));
        }
        if (type == EMI_REFRESH) return provider_->submit(image, handle);
        if (type == EMI_UPDATE) return provider_->submit(UpdateMsg().domainType(wanted).payload(**payload), handle);
        provider_->submit(GenericMsg().domainType(wanted).complete(true).payload(**payload), handle);
    });
}

void emi_provider::status(const Name& name, emi_state state, const char* text) {
    const auto stream = state == EMI_CURRENT || state == EMI_STALE ? OmmState::OpenEnum
                        : state == EMI_CLOSED                      ? OmmState::ClosedEnum
                        : state == EMI_CLOSED_RECOVER              ? OmmState::ClosedRecoverEnum
                                                                   : OmmState::NonStreamingEnum;
    if (stream == OmmState::NonStreamingEnum)
        throw Failure(EMI_E_ARGUMENT, "state is EMI_CURRENT, EMI_STALE, EMI_CLOSED or EMI_CLOSED_RECOVER");
    const std::lock_guard order(sending_);
    std::vector<std::pair<Handle, Stream>> open;
    {
        const std::lock_guard hold(lock_);
        open = streams_.of(name);
        if (stream != OmmState::OpenEnum)
            for (const auto& [handle, known] : open) {
                streams_.forget(handle);
                owed_.forget(known.client, handle);
            }
    }
    toAll(open, [&](Handle handle, const Stream& known) {
        // Without an image nothing is current.
        if (state == EMI_CURRENT && (known.waits || owed_.has(known.client, handle))) return;
        StatusMsg msg;
        msg.domainType(known.domain);
        provider_->submit(msg.state(stream, state == EMI_CURRENT ? OmmState::OkEnum : OmmState::SuspectEnum,
                                    OmmState::NoneEnum, text),
                          handle);
    });
}

std::size_t emi_provider::streams(std::uint16_t service, const char* item) {
    const std::lock_guard hold(lock_);
    return service == 0 ? streams_.size() : streams_.count(service, item);
}

void emi_provider::answer(std::uint32_t nack, const char* text) {
    if (nack > 255) throw Failure(EMI_E_ARGUMENT, "nack " + std::to_string(nack) + " is not one of 0 to 255");
    const std::lock_guard hold(lock_);
    nack_ = static_cast<std::uint8_t>(nack);
    nackText_ = text;
}

std::uint16_t emi_provider::port() const {
    return emissary::listeningPort(*provider_);
}

void emi_provider::takeRequests(bool take) {
    const std::lock_guard hold(lock_);
    takesRequests_ = take;
}

void emi_provider::onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) {
    if (request.getDomainType() != MMT_LOGIN) return answerRequest(request, event);
    if (!handOutLogin(request, event, false))
        acceptLogin(event.getProvider(), event.getHandle(), nameIn(request).c_str(), "login accepted");
}

void emi_provider::onReissue(const ReqMsg& request, const OmmProviderEvent& event) {
    if (request.getDomainType() != MMT_LOGIN) return answerRequest(request, event);  // with another view perhaps
    static_cast<void>(handOutLogin(request, event, true));                           // with another token perhaps
}

bool emi_provider::handOutLogin(const ReqMsg& request, const OmmProviderEvent& event, bool again) {
    const auto handle = event.getHandle();
    std::uint64_t number = 0;
    std::string user;
    {
        const std::lock_guard hold(lock_);
        const auto known = logins_.find(handle);
        // One that waits is asked again even if further logins are accepted: the program has not seen the new token.
        if (!takesLogins_ && (known == logins_.end() || known->second.asked == 0)) return false;
        // A login that is not known was accepted without the program.
        Login& login = known != logins_.end() ? known->second : logins_[handle];
        if (known == logins_.end()) login.accepted = again;
        login.client = event.getClientHandle();
        if (request.hasName()) login.user = request.getName().c_str();
        user = login.user;
        // A number for each request: an answer to the one before can no longer pass for an answer to this one.
        asked_.erase(login.asked);
        number = login.asked = ++lastAsked_;
        asked_[number] = handle;
    }
    if (handOut(EMI_REQUEST, request, {0, user}, number)) return true;
    bool accepted = false;
    {
        const std::lock_guard hold(lock_);
        asked_.erase(number);
        // Another thread may have refused the session just now, with an answer to the request before.
        const auto login = logins_.find(handle);
        if (login == logins_.end()) return true;
        login->second.asked = 0;
        accepted = login->second.accepted;
        if (!accepted) forgetClient(event.getClientHandle());
    }
    // A session that was accepted goes on as it was, since nobody has refused it.
    sayOfLogin(event.getProvider(), handle, user.c_str(), accepted ? OmmState::OpenEnum : OmmState::ClosedRecoverEnum,
               accepted ? OmmState::OkEnum : OmmState::SuspectEnum, OmmState::NoResourcesEnum,
               "the provider's program has not read its logins");
    return true;
}

void emi_provider::takeLogins(bool take) {
    const std::lock_guard hold(lock_);
    takesLogins_ = take;
}

void emi_provider::answerLogin(std::uint64_t number, bool accept, const std::string& text) {
    const auto none = [&] {
        return Failure(EMI_E_ITEM, "no login " + std::to_string(number) +
                                       " waits for an answer: it was answered, its consumer has asked again under "
                                       "another number, or has gone");
    };
    Handle handle = 0, client = 0;
    bool accepted = false;
    EmaString user;
    {
        const std::lock_guard hold(lock_);
        const auto asked = asked_.find(number);
        if (asked == asked_.end()) throw none();
        handle = asked->second;
        Login& login = logins_[handle];
        // Before anything changes, since it takes memory.
        user = login.user.c_str();
        // Of two threads that answer, one does. A renewal may come as soon as the answer has left.
        asked_.erase(asked);
        login.asked = 0;
        client = login.client;
        accepted = std::exchange(login.accepted, login.accepted || accept);
    }
    try {
        if (accept) acceptLogin(*provider_, handle, user, text.empty() ? "login accepted" : text);
        else
            sayOfLogin(*provider_, handle, user, OmmState::ClosedEnum, OmmState::SuspectEnum,
                       OmmState::NotAuthorizedEnum, text.empty() ? "login refused" : text);
    } catch (const OmmInvalidHandleException&) {
        throw none();  // it has gone just now
    } catch (...) {
        // Nothing has left: the program may answer again, unless the consumer has asked anew meanwhile.
        const std::lock_guard hold(lock_);
        if (const auto login = logins_.find(handle); login != logins_.end()) {
            login->second.accepted = accepted;
            if (login->second.asked == 0) asked_[login->second.asked = number] = handle;
        }
        throw;
    }
    if (accept) return;
    const std::lock_guard hold(lock_);
    forgetClient(client);
}

void emi_provider::answerRequest(const ReqMsg& request, const OmmProviderEvent& event) {
    const auto handle = event.getHandle();
    // A reissue need not repeat service and name.
    Name name = nameOf(handle);
    if (auto asked = nameIn(request); !asked.empty()) name.item = std::move(asked);
    if (request.hasServiceId()) name.service = static_cast<std::uint16_t>(request.getServiceId());
    else if (name.service == 0) name.service = 1;
    if (name.item.empty())
        return refuse(request, event, name, OmmState::ClosedEnum, OmmState::UsageErrorEnum, "the request has no name");
    Stream stream{event.getClientHandle(),
                  name,
                  static_cast<std::uint16_t>(request.getDomainType()),
                  viewOf(request),
                  request.getInterestAfterRefresh(),
                  request.getPrivateStream()};
    RefreshMsg answer;
    FieldList list;
    bool known = false, asked = false;
    {
        const std::lock_guard hold(lock_);
        owed_.forget(stream.client, handle);  // what is asked for now takes its place
        known = imageOf(stream, list, answer);
        // The reissue of a stream that waits: the program was asked already.
        const Stream* const before = streams_.find(handle);
        asked = before != nullptr && before->waits;
        stream.waits = !known && (takesRequests_ || asked);
        // Noted before the image leaves: an update that is published at this moment reaches the stream, and none is
        // lost between.
        if ((known && stream.streaming) || stream.waits) streams_.note(handle, stream);
    }
    if (stream.waits) {
        if (!asked && !handOut(EMI_REQUEST, request, name))
            refuse(request, event, name, OmmState::ClosedRecoverEnum, OmmState::NoResourcesEnum,
                   "the provider's program has not read its requests");
        return;
    }
    if (!known)
        return refuse(request, event, name, OmmState::ClosedEnum, OmmState::NotFoundEnum, "there is no such item");
    answerTo(stream, answer);
    if (request.hasServiceId()) answer.serviceId(request.getServiceId());
    submit(event.getProvider(), handle, stream, answer);
}

bool emi_provider::imageOf(const Stream& stream, FieldList& list, RefreshMsg& image) const {
    if (const auto other = otherImages_.find({stream.domain, stream.name}); other != otherImages_.end()) {
        image.payload(**other->second);
        return true;
    }
    const auto fields = stream.domain == MMT_MARKET_PRICE ? images_.find(stream.name) : images_.end();
    if (fields == images_.end()) return false;
    encodeView(fields->second, stream.view, list);
    image.payload(list);
    return true;
}

void emi_provider::submit(OmmProvider& provider, Handle handle, const Stream& stream, const RefreshMsg& image) {
    if (OwedAnswers::hasRoom([&] { provider.submit(image, handle); })) return;
    owed_.add(stream.client, handle, [this, &provider, handle, stream] {
        FieldList list;
        RefreshMsg later;
        {
            const std::lock_guard hold(lock_);
            static_cast<void>(imageOf(stream, list, later));  // what was there once is never taken away
        }
        provider.submit(answerTo(stream, later).serviceId(stream.name.service), handle);
    });
}

void emi_provider::refuse(const ReqMsg& request, const OmmProviderEvent& event, const Name& name,
                          OmmState::StreamState stream, OmmState::StatusCode code, const char* text) {
    {
        const std::lock_guard hold(lock_);
        streams_.forget(event.getHandle());
    }
    const auto send = [&provider = event.getProvider(), handle = event.getHandle(), domain = request.getDomainType(),
                       item = name.item, byId = request.hasServiceId(), service = name.service, stream, code, text] {
        StatusMsg refusal;
        refusal.domainType(domain);
        if (!item.empty()) refusal.name(item.c_str());
        if (byId) refusal.serviceId(service);
        refusal.state(stream, OmmState::SuspectEnum, static_cast<UInt8>(code), text);
        provider.submit(refusal, handle);
    };
    if (!OwedAnswers::hasRoom(send)) owed_.add(event.getClientHandle(), event.getHandle(), send);
}

void emi_provider::onPostMsg(const PostMsg& post, const OmmProviderEvent& event) {
    // The program gets whole posts only: one that cannot be decoded is refused.
    const bool readable = !isUnreadable(post);
    const bool taken = readable && handOut(EMI_POST, post, nameOf(event.getHandle()));
    if (!post.getSolicitAck()) return;
    AckMsg ack;
    // Without a number the ack has 0: the consumer waits for one all the same.
    ack.domainType(post.getDomainType()).ackId(post.hasPostId() ? post.getPostId() : 0);
    if (post.hasSeqNum()) ack.seqNum(post.getSeqNum());
    if (post.hasName()) ack.name(post.getName());
    if (post.hasServiceId()) ack.serviceId(post.getServiceId());
    {
        const std::lock_guard hold(lock_);
        if (nack_ != 0) ack.nackCode(nack_);
        if (!nackText_.empty()) ack.text(nackText_.c_str());
    }
    if (!readable) ack.nackCode(AckMsg::InvalidContentEnum).text("the content of the post cannot be decoded");
    else if (!taken) ack.nackCode(AckMsg::NoResourcesEnum).text("the provider's program has not read its posts");
    event.getProvider().submit(ack, event.getHandle());
}

void emi_provider::onGenericMsg(const GenericMsg& msg, const OmmProviderEvent& event) {
    static_cast<void>(handOut(EMI_GENERIC, msg, nameOf(event.getHandle())));
}

void emi_provider::onClose(const ReqMsg& request, const OmmProviderEvent& event) {
    const std::lock_guard hold(lock_);
    streams_.forget(event.getHandle());
    owed_.forget(event.getClientHandle(), event.getHandle());
    if (request.getDomainType() == MMT_LOGIN) forgetClient(event.getClientHandle());
}

void emi_provider::forgetClient(Handle client) {
    streams_.forgetClient(client);
    for (auto login = logins_.begin(); login != logins_.end();) {
        if (login->second.client != client) {
            ++login;
            continue;
        }
        asked_.erase(login->second.asked);
        login = logins_.erase(login);
    }
    owed_.forget(client);
}
