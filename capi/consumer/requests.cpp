// capi/consumer: requests with views and batches, posts, generic messages, look-ups in the dictionary.
#include "calls/calls.h"
#include "consumer/Consumer.h"
#include "consumer/request_parts.h"
#include "data/fields.h"
#include "data/values.h"
#include "emissary/dictionary.h"

#include <cstring>

#include <unistd.h>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::capi::addView;
using emissary::capi::domainOf;
using emissary::capi::Failure;
using emissary::capi::named;
using emissary::capi::prepare;

namespace {

/// Bytes of names in one batch request: an element has at most 65535.
constexpr std::size_t kBatchBytes = 50'000;

}  // namespace

const DataDictionary& emi_consumer::dictionary() {
    auto known = emissary::dictionaryOf(*consumer_);
    if (!known || !known->isFieldDictionaryLoaded())
        throw Failure(EMI_E_DICTIONARY, "this consumer has no dictionary, and fields are not known without one");
    // Kept here: the library may load a newer dictionary, and texts of this one have been handed out.
    dictionary_ = std::move(known);
    return *dictionary_;
}

std::uint64_t emi_consumer::open(const char* service, const char* name, const emi_request& how) {
    ReqMsg request;
    prepare(how, request);
    ElementList payload;
    addView(payload, how, dictionarySource());
    payload.complete();
    if (how.view_count > 0) request.payload(payload);
    return open(service, name, request);
}

void emi_consumer::openBatch(const char* service, const char* const* names, std::size_t count, const emi_request& how,
                             std::uint64_t* items) {
    const auto domain = domainOf(how.domain);
    std::size_t opened = 0;
    Closure* asking = nullptr;  // the request that the library has not taken yet
    const auto closeAll = [&] {
        while (opened > 0) {
            const std::uint64_t number = items[--opened];
            if (item(number).open) close(number);
        }
    };
    try {
        while (opened < count) {
            Closure& batch = items_.addRequest();
            asking = &batch;
            OmmArray list;
            for (std::size_t bytes = 0; opened < count && bytes < kBatchBytes; ++opened) {
                Item& item = add(service, names[opened]);
                items[opened] = item.number;
                item.domain = domain;
                batch.batch.push_back(item.number);
                item.request = &batch;
                batch.kept = batch.unnamed = batch.batch.size();
                // A name costs its bytes and up to three of length.
                bytes += item.name.size() + 3;
                list.addAscii(item.name.c_str());
            }
            ElementList payload;
            payload.addArray(ENAME_BATCH_ITEM_LIST, list.complete());
            addView(payload, how, dictionarySource());
            ReqMsg request;
            prepare(how, request);
            consumer_->registerClient(request.serviceName(service).payload(payload.complete()), *this, &batch);
            asking = nullptr;
        }
    } catch (...) {
        closeAll();
        if (asking != nullptr) items_.refused(*asking);
        throw;
    }
}

const emi_consumer::Item& emi_consumer::openStream(std::uint64_t number) const {
    const Item& known = item(number);
    if (!known.open || known.handle == 0)
        throw Failure(EMI_E_ITEM, "item " + std::to_string(number) + " (" + known.name + ") has no open stream");
    return known;
}

std::uint64_t emi_consumer::login() {
    // Registered when it is first wanted: most consumers never post outside a stream. After a closed login the next
    // post asks again.
    if (login_.handle == 0)
        login_.handle =
            consumer_->registerClient(ReqMsg().domainType(MMT_LOGIN), *this, static_cast<Closure*>(&login_));
    return login_.handle;
}

void emi_consumer::post(std::uint64_t number, const char* service, const char* name, const emi_post& how,
                        const emi_value* data, std::size_t count) {
    constexpr auto kFlags = static_cast<std::uint32_t>(EMI_POST_ACK | EMI_POST_PART);
    constexpr auto kHas =
        static_cast<std::uint32_t>(EMI_HAS_ID | EMI_HAS_SEQUENCE | EMI_HAS_USER | EMI_HAS_PART | EMI_HAS_RIGHTS);
    constexpr std::uint32_t kLocalHost = 0x7F000001;
    if ((how.flags & ~kFlags) != 0 || (how.has & ~kHas) != 0)
        throw Failure(EMI_E_ARGUMENT, "flags or has of the post has unknown bits");
    const bool ack = (how.flags & EMI_POST_ACK) != 0;
    if (ack && (how.has & EMI_HAS_ID) == 0) throw Failure(EMI_E_ARGUMENT, "a post that asks for an ack needs an id");
    if (number == 0) {
        emissary::capi::need(service, "service");
        emissary::capi::need(name, "name");
        if (*service == '\0' || *name == '\0')
            throw Failure(EMI_E_ARGUMENT, "a post without item needs the names of service and item");
    }
    const auto payload = emissary::capi::build(dictionarySource(), data, count);
    PostMsg msg;
    msg.domainType(domainOf(how.domain));
    if (service != nullptr) msg.serviceName(service);
    if (name != nullptr) msg.name(name);
    if ((how.has & EMI_HAS_ID) != 0) msg.postId(how.id);
    if ((how.has & EMI_HAS_SEQUENCE) != 0) msg.seqNum(how.sequence);
    if ((how.has & EMI_HAS_PART) != 0) msg.partNum(how.part);
    if ((how.has & EMI_HAS_RIGHTS) != 0) msg.postUserRights(how.rights);
    if ((how.has & EMI_HAS_USER) != 0) msg.publisherId(how.user_id, how.user_address);
    // The process id and the loopback address name this program when the caller names nobody: a post needs a
    // publisher's identity.
    else msg.publisherId(static_cast<UInt32>(::getpid()), kLocalHost);
    msg.solicitAck(ack).complete((how.flags & EMI_POST_PART) == 0).payload(*payload);
    consumer_->submit(msg, number == 0 ? login() : openStream(number).handle);
}

void emi_consumer::generic(std::uint64_t number, const emi_value* data, std::size_t count) {
    const auto& known = openStream(number);
    const auto payload = emissary::capi::build(dictionarySource(), data, count);
    GenericMsg msg;
    consumer_->submit(msg.domainType(known.domain).complete(true).payload(*payload), known.handle);
}

void emi_consumer::field(const char* name, emi_field& found) {
    const auto& known = dictionary();
    known.getEntry(emissary::capi::fieldId(known, named(name)), entry_);
    // Texts of the answer are owned by entry_: they hold until the next look-up.
    found = {
        static_cast<std::uint32_t>(sizeof found),
        entry_.getFid(),
        static_cast<std::uint8_t>(emissary::capi::kindOf(static_cast<DataType::DataTypeEnum>(entry_.getRwfType()))),
        0,
        entry_.getRwfLength(),
        0,
        entry_.getAcronym().c_str(),
        entry_.getDDEAcronym().c_str()};
}

const char* emi_consumer::enumDisplay(const char* name, std::uint32_t value) {
    const auto& known = dictionary();
    known.getEntry(emissary::capi::fieldId(known, named(name)), entry_);
    if (value > 65'535 || !entry_.hasEnumType(static_cast<UInt16>(value)))
        throw Failure(EMI_E_ARGUMENT, std::string("field ") + name + " has no text for " + std::to_string(value));
    return entry_.getEnumType(static_cast<UInt16>(value)).getDisplay().c_str();
}
