// A consumer of the C interface: its items, and where the messages of a dispatch go.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "batch/Batch.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

/// A message inside a callback.
struct emi_message {
    emi_type type = EMI_UPDATE;
    std::uint64_t item = 0;
    emi_state state = EMI_PENDING;
    const refinitiv::ema::access::Msg* msg = nullptr;
    const refinitiv::ema::access::FieldList* fields = nullptr;  ///< null without a field list
};

/// Dispatches on the thread that calls; items are kept by number.
struct emi_consumer final : refinitiv::ema::access::OmmConsumerClient {
    struct Item {
        std::uint64_t number = 0, handle = 0;
        bool open = false;
        emi_state state = EMI_PENDING;
        int statusCode = 0;
        std::string name, service, text;
    };
    using Call = std::function<void(emi_message&)>;

    explicit emi_consumer(const emi_config& config);
    ~emi_consumer() override;

    std::uint64_t open(const char* service, const char* name, std::uint32_t flags);
    void close(std::uint64_t number);
    /// Whether some item may still send messages.
    [[nodiscard]] bool hasOpenItems() const;
    [[nodiscard]] const Item& item(std::uint64_t number) const;
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

    std::atomic<std::thread::id> inside_{};
    std::deque<Item> items_;  // by number - 1; addresses stay
    const Call* call_ = nullptr;
    std::size_t delivered_ = 0;
    std::unique_ptr<refinitiv::ema::access::OmmConsumer> consumer_;  // last: ends first
};
