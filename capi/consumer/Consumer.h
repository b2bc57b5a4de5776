// A consumer of the C interface: its items, and where the messages of a dispatch go.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "batch/Batch.h"
#include "consumer/Items.h"
#include "data/build.h"
#include "emissary/book/Store.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace emissary::capi {
class Books;
}

/// A message inside a callback.
struct emi_message {
    emi_type type = EMI_UPDATE;
    std::uint64_t item = 0;
    emi_state state = EMI_PENDING;
    const refinitiv::ema::access::Msg* msg = nullptr;
    const refinitiv::ema::access::FieldList* fields = nullptr;  ///< null without a field list
    std::unique_ptr<emissary::capi::Tree> data;                 ///< made when it is asked for
    bool book = false;                                          ///< what it says is in the item's book
};

/// Dispatches on the thread that calls; items are kept by number.
struct emi_consumer final : refinitiv::ema::access::OmmConsumerClient {
    using Closure = emissary::capi::Items::Closure;
    using Item = emissary::capi::Items::Item;
    using Call = std::function<void(emi_message&)>;

    /// Connects, and waits for the login as the configuration says. Throws what guarded() makes a code and a text of.
    explicit emi_consumer(const emi_config& config);
    ~emi_consumer() override;

    std::uint64_t open(const char* service, const char* name, const emi_request& how);
    /// All names with as few requests as they fit into; items[i] becomes the number of names[i].
    void openBatch(const char* service, const char* const* names, std::size_t count, const emi_request& how,
                   std::uint64_t* items);
    void close(std::uint64_t number);
    void post(std::uint64_t item, const char* service, const char* name, const emi_post& how, const emi_value* data,
              std::size_t count);
    void generic(std::uint64_t item, const emi_value* data, std::size_t count);
    std::uint64_t openBook(const char* service, const char* name, std::uint32_t domain);
    /// From now on messages of the login stream are delivered, as item 0.
    void openLogin();
    [[nodiscard]] const Item& bookItem(std::uint64_t number) const;
    void field(const char* name, emi_field& found);
    [[nodiscard]] const char* enumDisplay(const char* name, std::uint32_t value);
    [[nodiscard]] bool hasOpenItems() const { return items_.anyOpen(); }
    /// Whether messages of the login stream are delivered.
    [[nodiscard]] bool showsLogin() const noexcept { return showsLogin_; }
    [[nodiscard]] const Item& item(std::uint64_t number) const { return items_.at(number); }
    /// item(), or the login stream for 0 once it is open.
    [[nodiscard]] const Item& itemOrLogin(std::uint64_t number) const;
    /// Dispatches once: waits up to the timeout. Returns how many messages came.
    std::size_t dispatch(std::int64_t timeoutMs, const Call& call);
    std::unique_ptr<emi_batch> nextBatch(std::size_t rows, std::int64_t timeoutMs);
    [[nodiscard]] refinitiv::ema::access::OmmConsumer& consumer() noexcept { return *consumer_; }

    emissary::capi::Layout layout;

    /// Held by each call: one thread at a time. Inside a callback, only calls that may be made there get in.
    class Inside {
    public:
        enum class From : bool { anywhere, outsideCallbacks };
        Inside(emi_consumer& consumer, From from);
        ~Inside();
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        emi_consumer& consumer_;
        bool nested_ = false;
    };

private:
    void onRefreshMsg(const refinitiv::ema::access::RefreshMsg& msg,
                      const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onUpdateMsg(const refinitiv::ema::access::UpdateMsg& msg,
                     const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onStatusMsg(const refinitiv::ema::access::StatusMsg& msg,
                     const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& msg,
                      const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void onAckMsg(const refinitiv::ema::access::AckMsg& msg,
                  const refinitiv::ema::access::OmmConsumerEvent& event) override;
    void take(Item& item, const refinitiv::ema::access::OmmState& state);
    void deliver(emi_type type, const Item& item, const refinitiv::ema::access::Msg& msg);
    /// The item that an event is for; null when it is about a batch as a whole, or an item that is closed.
    Item* itemOf(const refinitiv::ema::access::OmmConsumerEvent& event, const refinitiv::ema::access::Msg& msg);
    Item& add(const char* service, const char* name);
    /// Puts a message into the item's book, if it has one; asks for an image when the book needs it.
    template <class Message>
    void toBook(Item& item, const Message& msg, const refinitiv::ema::access::OmmConsumerEvent& event);
    std::uint64_t open(const char* service, const char* name, const refinitiv::ema::access::ReqMsg& request);
    [[nodiscard]] const Item& openStream(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t login();
    /// The dictionary of now; throws Failure when there is none.
    const refinitiv::ema::rdm::DataDictionary& dictionary();
    [[nodiscard]] emissary::capi::DictionarySource dictionarySource() {
        return [this]() -> const refinitiv::ema::rdm::DataDictionary& { return dictionary(); };
    }

    std::atomic<std::thread::id> inside_{};
    emissary::capi::Items items_;
    std::unordered_map<std::uint64_t, Item*> byHandle_;  // items of batches, from their first message on
    std::unique_ptr<emissary::capi::Books> books_;       // null without any
    emissary::book::Book* bookToOpen_ = nullptr;         // of the call that opens one
    Item login_;                                         // what is posted without item; its number is 0
    bool showsLogin_ = false;                            // its messages are delivered
    std::shared_ptr<const refinitiv::ema::rdm::DataDictionary> dictionary_;  // of the last look-up
    refinitiv::ema::rdm::DictionaryEntry entry_;                             // of the last look-up
    const Call* call_ = nullptr;
    std::size_t delivered_ = 0;
    std::unique_ptr<refinitiv::ema::access::OmmConsumer> consumer_;  // last: ends first
};
