// capi/provider: a non-interactive provider that keeps what it has published, for the time after a reconnect.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "data/build.h"
#include "data/fields.h"
#include "emissary/LogSink.h"
#include "provider/Inbox.h"
#include "provider/Order.h"
#include "provider/Turns.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Publishing may be done by any thread; logins come on the library's. All images are sent again after each login, in
/// turns, by a thread of this provider: what the server does not read at once waits there. `lock_` is never held while
/// the library is called.
struct emi_ni_provider final : refinitiv::ema::access::OmmProviderClient {
    emi_ni_provider(const emi_config& config, const std::string& service, std::uint32_t serviceId,
                    const std::string& dictionaries);
    ~emi_ni_provider() override;

    void publish(const std::string& item, const emi_value* values, std::size_t count);
    void send(const std::string& item, std::uint32_t domain, emi_type type, const emi_value* data, std::size_t count);
    void status(const std::string& item, emi_state state, const char* text);
    void serviceState(bool up);
    [[nodiscard]] bool connected();
    [[nodiscard]] emissary::capi::Inbox& inbox() noexcept { return inbox_; }

private:
    using Handle = refinitiv::ema::access::UInt64;
    struct Item {
        Handle handle = 0;
        emissary::capi::KeptFields fields;
        std::shared_ptr<emissary::capi::Built> payload;  ///< in the place of fields, when it is not null
        emi_state state = EMI_CURRENT;
        std::string text;
        bool due = false;   ///< its image is sent again, with what is published meanwhile
        bool sent = false;  ///< an image was given to the library, on this connection or one before
    };
    using Key = std::pair<std::uint16_t, std::string>;  // domain and name

    void onRefreshMsg(const refinitiv::ema::access::RefreshMsg& msg,
                      const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onStatusMsg(const refinitiv::ema::access::StatusMsg& msg,
                     const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onPostMsg(const refinitiv::ema::access::PostMsg& post,
                   const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& msg,
                      const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onClose(const refinitiv::ema::access::ReqMsg& request,
                 const refinitiv::ema::access::OmmProviderEvent& event) override;
    /// The image of an item. lock_ held.
    void makeImage(const Key& key, const Item& item, refinitiv::ema::access::RefreshMsg& image) const;
    void sendServiceState(refinitiv::ema::access::OmmProvider& provider, bool up);
    /// The item of this key, made when there is none: then the second is true. lock_ held.
    std::pair<Item&, bool> itemOf(const Key& key);
    [[nodiscard]] std::string nameOf(Handle handle);
    /// Submits, unless the connection is lost meanwhile. False: the stream has ended, an image is needed.
    template <class Message>
    bool submit(const Message& msg, Handle handle);
    /// Sends some of what is due after a login.
    emissary::capi::Turns::Left republish() noexcept;
    enum class Sent : unsigned char { one, nothing, noRoom };
    /// What is to be logged when sending_ is released; empty: nothing.
    struct Report {
        emissary::LogSeverity severity = emissary::LogSeverity::error;
        std::string text;
    };
    /// Sends one image, or the state of the service behind all of them, if any is due. sending_ held.
    Sent republishOne(Report& report);
    /// The list is at its end. sending_ held.
    void allIsSent(Report& report);
    /// The image has left, or cannot. sending_ held.
    void isDone(const Key& key, Handle handle, bool sent);

    refinitiv::ema::rdm::DataDictionary dictionary_;
    const std::string service_;
    const std::uint32_t serviceId_;
    const std::shared_ptr<emissary::LogSink> log_;
    emissary::capi::Inbox inbox_;
    emissary::capi::Order sending_;  // of all that publish: what they keep leaves in the same order. Before lock_
    std::mutex lock_;
    std::map<Key, Item> items_;              // under lock_
    std::map<Handle, const Key*> byHandle_;  // under lock_; the keys of items_
    Handle lastHandle_ = 1;                  // under lock_; 1 is that of the directory
    bool connected_ = false;                 // under lock_
    bool up_ = true;                         // under lock_
    bool stateDue_ = false;                  // under lock_; the service is down, to be sent
    std::vector<Key> due_;                   // under lock_; the next one to be sent is the last
    bool toldWaits_ = false;                 // under sending_; since all was sent
    std::size_t failures_ = 0;               // under sending_; the same
    emissary::capi::Turns turns_{"emi-republish", [this] { return republish(); }};
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;  // last: ends first
};
