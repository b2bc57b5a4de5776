// capi/provider: an interactive provider of one service that keeps the images of its items.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "data/build.h"
#include "data/fields.h"
#include "provider/Inbox.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Requests come on the library's thread; publishing may be done by any. `lock_` is never held while the library is
/// called.
struct emi_provider final : refinitiv::ema::access::OmmProviderClient {
    emi_provider(const std::string& port, const std::string& service, const std::string& dictionaries, bool json);
    ~emi_provider() override;

    void publish(const std::string& item, const emi_value* values, std::size_t count);
    void send(const std::string& item, std::uint32_t domain, emi_type type, const emi_value* data, std::size_t count);
    void status(const std::string& item, emi_state state, const char* text);
    [[nodiscard]] std::size_t streams(const char* item);
    void answer(std::uint32_t nack, const char* text);
    /// Whether requests for unknown items wait for the program.
    void takeRequests(bool take);
    /// Whether logins wait for the program.
    void takeLogins(bool take);
    /// Failure(EMI_E_ITEM) when no login of this number waits.
    void answerLogin(std::uint64_t number, bool accept, const std::string& text);
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] emissary::capi::Inbox& inbox() noexcept { return inbox_; }

private:
    using Handle = refinitiv::ema::access::UInt64;
    using View = std::set<std::int16_t>;
    struct Stream {
        Handle client;
        std::string item;
        std::uint16_t domain;
        View view;  ///< empty: all fields
        bool streaming = true;
        bool isPrivate = false;
        bool waits = false;  ///< has no image yet: the program was asked for one
    };
    /// Of a login that the program was asked about.
    struct Login {
        Handle client = 0;
        std::string user;
        bool waits = false;  ///< for the program's answer
    };
    using Key = std::pair<std::uint16_t, std::string>;

    void onReqMsg(const refinitiv::ema::access::ReqMsg& request,
                  const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onReissue(const refinitiv::ema::access::ReqMsg& request,
                   const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onClose(const refinitiv::ema::access::ReqMsg& request,
                 const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onPostMsg(const refinitiv::ema::access::PostMsg& post,
                   const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onGenericMsg(const refinitiv::ema::access::GenericMsg& msg,
                      const refinitiv::ema::access::OmmProviderEvent& event) override;
    /// Hands the login out where the program takes logins; returns whether it does.
    bool handOutLogin(const refinitiv::ema::access::ReqMsg& request,
                      const refinitiv::ema::access::OmmProviderEvent& event);
    /// With a login its items go. lock_ held.
    void forgetClient(Handle client);
    void answerRequest(const refinitiv::ema::access::ReqMsg& request,
                       const refinitiv::ema::access::OmmProviderEvent& event);
    /// lock_ held.
    [[nodiscard]] std::vector<std::pair<Handle, Stream>> streamsOf(const std::string& item) const;
    /// The same, for an image: those that wait wait no longer. lock_ held.
    [[nodiscard]] std::vector<std::pair<Handle, Stream>> streamsToAnswer(const std::string& item, std::uint16_t domain);
    /// Makes an image the answer to the stream's request; its payload stays.
    static refinitiv::ema::access::RefreshMsg& answerTo(const Stream& stream,
                                                        refinitiv::ema::access::RefreshMsg& image);
    void refuse(const refinitiv::ema::access::ReqMsg& request, const refinitiv::ema::access::OmmProviderEvent& event,
                bool noRoom);
    /// Sends to those streams; one that has ended meanwhile is left out.
    template <class Make>
    void toAll(const std::vector<std::pair<Handle, Stream>>& streams, Make&& make);
    [[nodiscard]] std::string itemOf(Handle handle);

    refinitiv::ema::rdm::DataDictionary dictionary_;
    emissary::capi::Inbox inbox_;
    std::mutex sending_;  // of publish(), send() and status(): what they keep leaves in the same order. Before lock_
    std::mutex lock_;
    std::map<std::string, emissary::capi::KeptFields> images_;           // under lock_
    std::map<Key, std::shared_ptr<emissary::capi::Built>> otherImages_;  // under lock_; of what send() gave
    std::map<Handle, Stream> streams_;                                   // under lock_
    std::map<Handle, Login> logins_;                                     // under lock_; by their numbers
    bool takesRequests_ = false;                                         // under lock_
    bool takesLogins_ = false;                                           // under lock_
    std::uint8_t nack_ = 0;                                              // under lock_
    std::string nackText_;                                               // under lock_
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;      // last: ends first
};
