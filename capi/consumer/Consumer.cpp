// capi/consumer: opening a consumer, its items' states, and dispatching to a callback or into columns.
#include "consumer/Consumer.h"

#include "calls/TextFile.h"
#include "calls/calls.h"
#include "calls/wall_clock.h"
#include "consumer/Books.h"
#include "consumer/Config.h"
#include "consumer/apply_config.h"

#include <algorithm>
#include <chrono>
#include <utility>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::capi::Failure;
using emissary::capi::TextFile;

namespace {

emi_state stateOf(const OmmState& state, emi_state before) noexcept {
    switch (state.getStreamState()) {
    case OmmState::OpenEnum:
        if (state.getDataState() == OmmState::OkEnum) return EMI_CURRENT;
        // "No change" keeps what was known: a status that brings only a text must not make a current item stale.
        if (state.getDataState() == OmmState::NoChangeEnum) return before;
        return EMI_STALE;
    // A snapshot is complete with its image. Only a suspect image leaves it stale.
    case OmmState::NonStreamingEnum:
        return state.getDataState() == OmmState::SuspectEnum ? EMI_STALE : EMI_COMPLETE;
    case OmmState::ClosedRecoverEnum:
        return EMI_CLOSED_RECOVER;
    case OmmState::ClosedRedirectedEnum:
        return EMI_REDIRECTED;
    case OmmState::ClosedEnum:
        break;
    }
    return EMI_CLOSED;
}

// Through Closure, because itemOf() casts the pointer back to Closure: an Item's address alone would not promise that.
void* closureOf(emi_consumer::Closure& closure) noexcept {
    return &closure;
}

}  // namespace

emi_consumer::Inside::Inside(emi_consumer& consumer, From from) : consumer_(consumer) {
    std::thread::id nobody{};
    // acquire: with the release of the call before, on another thread perhaps
    if (consumer.inside_.compare_exchange_strong(nobody, std::this_thread::get_id(), std::memory_order_acquire,
                                                 std::memory_order_relaxed))
        return;
    // A wrong thread is refused and does not wait: a lock would hide that two threads use one consumer.
    if (nobody != std::this_thread::get_id())
        throw Failure(EMI_E_BUSY, "another thread is inside a call of this consumer");
    if (from == From::outsideCallbacks)
        throw Failure(EMI_E_USAGE,
                      "inside a callback, only items can be opened, closed and looked at, and messages sent");
    nested_ = true;
}

emi_consumer::Inside::~Inside() {
    if (!nested_) consumer_.inside_.store({}, std::memory_order_release);
}

emi_consumer::emi_consumer(const emi_config& config) {
    const auto start = [&](OmmConsumerConfig& settings) {
        emissary::capi::apply(config, settings);
        layout.enumTexts = config.enumTexts;
        consumer_ = std::make_unique<OmmConsumer>(settings);
    };
    if (config.hasText) {
        // The file exists until start() has made the consumer, whenever the library reads it.
        const TextFile text(config.xml);
        OmmConsumerConfig settings(text.path().c_str());
        start(settings);
    } else {
        OmmConsumerConfig settings(config.file.c_str());  // an empty path is no file
        start(settings);
    }
}

emi_consumer::~emi_consumer() = default;

emi_consumer::Item& emi_consumer::add(const char* service, const char* name) {
    emissary::capi::need(service, "service");
    emissary::capi::need(name, "name");
    if (*service == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the service is empty");
    if (*name == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the item is empty");
    return items_.add(service, name);
}

std::uint64_t emi_consumer::open(const char* service, const char* name, const ReqMsg& how) {
    Item& item = add(service, name);
    try {
        ReqMsg request(how);
        item.domain = how.getDomainType();
        item.book = bookToOpen_;  // before messages come
        item.handle = consumer_->registerClient(request.serviceName(service).name(name), *this, closureOf(item));
    } catch (...) {
        item.open = false;  // the number stays taken: an answer may name it already
        item.state = EMI_CLOSED;
        items_.closed(item.number);
        item.book = nullptr;
        throw;
    }
    return item.number;
}

const emi_consumer::Item& emi_consumer::itemOrLogin(std::uint64_t number) const {
    return number == 0 && showsLogin_ ? login_ : items_.at(number);
}

void emi_consumer::openLogin() {
    if (showsLogin_) return;
    showsLogin_ = true;  // before the stream is opened: the image may come from inside that call
    try {
        static_cast<void>(login());
    } catch (...) {
        showsLogin_ = false;
        throw;
    }
}

void emi_consumer::close(std::uint64_t number) {
    Item& known = items_.at(number);
    if (!known.open)
        throw Failure(EMI_E_ITEM, "item " + std::to_string(number) + " (" + known.name + ") is closed already");
    known.open = false;
    known.state = EMI_CLOSED;
    // An item of a batch has no handle before its first message. itemOf() unregisters it when that message comes.
    if (known.handle != 0) consumer_->unregister(known.handle);
    if (known.book != nullptr) books_->store().remove(*std::exchange(known.book, nullptr));
    byHandle_.erase(known.handle);
    items_.closed(number);
}

void emi_consumer::take(Item& item, const OmmState& state) {
    item.state = stateOf(state, item.state);
    item.statusCode = state.getStatusCode();
    item.text = state.getStatusText().c_str();
}

void emi_consumer::deliver(emi_type type, const Item& item, const Msg& msg) {
    // Reading services dispatches too, without a callback: nobody asked for these messages.
    if (call_ == nullptr) return;
    const Payload& payload = msg.getPayload();
    emi_message message{type,
                        item.number,
                        item.state,
                        &msg,
                        payload.getDataType() == DataType::FieldListEnum ? &payload.getFieldList() : nullptr,
                        nullptr,
                        item.book != nullptr};
    ++delivered_;
    (*call_)(message);
}

// The handle is the event's: an image that comes from inside registerClient() is there before the item has its own.
template <class Message>
void emi_consumer::toBook(Item& item, const Message& msg, const OmmConsumerEvent& event) {
    if (item.book == nullptr || books_->store().apply(*item.book, msg) != emissary::book::Verdict::askImage) return;
    ReqMsg again;
    again.domainType(item.domain).serviceName(item.service.c_str()).name(item.name.c_str());
    try {
        consumer_->reissue(again, event.getHandle());
    } catch (const OmmException&) {
        // the stream has ended: the book is stale, and says so
    }
}

std::uint64_t emi_consumer::openBook(const char* service, const char* name, std::uint32_t domain) {
    if (domain < MMT_MARKET_BY_ORDER || domain > MMT_MARKET_MAKER)
        throw Failure(EMI_E_ARGUMENT, "a book has domain 7, 8 or 9, not " + std::to_string(domain));
    emissary::capi::need(name, "name");
    if (!books_) books_ = std::make_unique<emissary::capi::Books>();
    auto& book = books_->store().add(name, static_cast<emissary::book::Kind>(domain));
    // open() takes the book before it registers: the first image may come from inside registerClient().
    ReqMsg request;
    bookToOpen_ = &book;
    try {
        request.domainType(static_cast<UInt16>(domain));
        const auto number = open(service, name, request);
        bookToOpen_ = nullptr;
        return number;
    } catch (...) {
        bookToOpen_ = nullptr;
        books_->store().remove(book);
        throw;
    }
}

const emi_consumer::Item& emi_consumer::bookItem(std::uint64_t number) const {
    const Item& known = items_.at(number);
    if (known.book == nullptr)
        throw Failure(EMI_E_ITEM, "item " + std::to_string(number) + " (" + known.name + ") is no book");
    return known;
}

emi_consumer::Item* emi_consumer::itemOf(const OmmConsumerEvent& event, const Msg& msg) {
    auto* const closure = static_cast<Closure*>(event.getClosure());
    // A closure without numbers is an item of its own: batches always have at least one number.
    if (closure->batch.empty()) return static_cast<Item*>(closure);
    if (event.getParentHandle() == 0) {
        closure->split = true;
        return nullptr;
    }
    if (const auto known = byHandle_.find(event.getHandle()); known != byHandle_.end()) return known->second;
    // A first message need not say its name. It is of the only item that is left then; of several, the stream stays
    // open until a message names its item.
    const bool named = msg.hasName();
    if (!named && closure->unnamed != 1) return nullptr;
    if (closure->unnamed != 0) --closure->unnamed;
    for (const auto number : closure->batch) {
        Item* const item = items_.find(number);  // null: closed and forgotten
        if (item == nullptr || item->handle != 0 || (named && !(msg.getName() == item->name.c_str()))) continue;
        item->handle = event.getHandle();
        if (item->open) return byHandle_[event.getHandle()] = item;
        break;  // closed before it was known
    }
    consumer_->unregister(event.getHandle());
    items_.release(*closure);
    return nullptr;
}

void emi_consumer::onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) {
    Item* const item = itemOf(event, msg);
    if (item == nullptr) return;
    // A snapshot's stream stays open on the wire's word until its last part: then nothing more comes.
    take(*item, msg.getState());
    toBook(*item, msg, event);
    if (item == &login_) login_.name = msg.hasName() ? msg.getName().c_str() : "";
    if (item != &login_ || showsLogin_) deliver(EMI_REFRESH, *item, msg);
}

void emi_consumer::onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) {
    Item* const item = itemOf(event, msg);
    if (item == nullptr) return;
    toBook(*item, msg, event);
    deliver(EMI_UPDATE, *item, msg);
}

void emi_consumer::onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) {
    Item* const item = itemOf(event, msg);
    if (item == nullptr) return;
    if (msg.hasState()) take(*item, msg.getState());
    toBook(*item, msg, event);
    if (item == &login_ && item->state >= EMI_CLOSED) item->handle = 0;
    if (item != &login_ || showsLogin_) deliver(EMI_STATUS, *item, msg);
}

void emi_consumer::onGenericMsg(const GenericMsg& msg, const OmmConsumerEvent& event) {
    if (const Item* const item = itemOf(event, msg)) deliver(EMI_GENERIC, *item, msg);
}

void emi_consumer::onAckMsg(const AckMsg& msg, const OmmConsumerEvent& event) {
    if (const Item* const item = itemOf(event, msg)) deliver(EMI_ACK, *item, msg);
}

std::size_t emi_consumer::dispatch(std::int64_t timeoutMs, const Call& call) {
    // A million seconds: times in microseconds stay far from the end of their 64 bits.
    constexpr std::int64_t kLongestMs = 1'000'000'000;
    if (timeoutMs < -1)
        throw Failure(EMI_E_ARGUMENT, "timeout_ms is " + std::to_string(timeoutMs) + "; -1 waits for ever");
    struct Ends {
        // Reset on every way out: an exception must not leave a pointer to the caller's frame.
        const Call*& call;
        ~Ends() { call = nullptr; }
    } ends{call_};
    items_.forget();
    call_ = &call;
    delivered_ = 0;
    consumer_->dispatch(timeoutMs < 0 ? std::int64_t{OmmConsumer::InfiniteWaitEnum}
                                      : std::min(timeoutMs, kLongestMs) * 1000);
    return delivered_;
}

std::unique_ptr<emi_batch> emi_consumer::nextBatch(std::size_t rows, std::int64_t timeoutMs) {
    using Clock = std::chrono::steady_clock;
    if (rows == 0) throw Failure(EMI_E_ARGUMENT, "a batch of no rows");
    // An eighth more rows than asked for: one dispatch may bring several messages past the wanted count.
    auto batch = std::make_unique<emi_batch>(rows + rows / 8);
    std::exception_ptr failed;
    const Call add = [&](emi_message& message) {
        if (failed) return;
        try {
            batch->addRow(message.item, emissary::capi::wallClock(), message.type, message.state);
            if (message.book) batch->domain.push_back(static_cast<std::uint8_t>(message.msg->getDomainType()));
            else batch->addMessage(layout, *message.msg);
        } catch (...) {
            failed = std::current_exception();  // nothing may be thrown through the library
        }
    };
    const auto begun = Clock::now();
    for (std::int64_t left = timeoutMs;;) {
        const std::size_t came = dispatch(left, add);
        if (failed) std::rethrow_exception(failed);
        const std::size_t have = batch->item.size();
        // A batch is handed out as soon as nothing more waits: rows are not held back for a full batch.
        if (have >= rows || (have > 0 && came == 0)) break;
        if (have > 0) {
            // The rest is taken without waiting: the caller's patience ended with the first row.
            left = 0;
            continue;
        }
        if (timeoutMs < 0) continue;
        left = timeoutMs - std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun).count();
        if (left <= 0) break;
    }
    batch->finish(layout);
    return batch;
}
