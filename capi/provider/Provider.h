// capi/provider: an interactive provider that keeps the images of its items.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "data/build.h"
#include "data/fields.h"
#include "provider/Inbox.h"
#include "provider/OwedAnswers.h"
#include "provider/Streams.h"

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
    using Name = emissary::capi::ItemName;

    /// Services have the numbers 1, 2 and so on.
    emi_provider(const std::string& port, const std::vector<std::string>& services, const std::string& dictionaries,
                 bool json);
    ~emi_provider() override;

    void publish(const Name& name, const emi_value* values, std::size_t count);
    void send(const Name& name, std::uint32_t domain, emi_type type, const emi_value* data, std::size_t count);
    void status(const Name& name, emi_state state, const char* text);
    /// Service 0: of all services and items; null: of all items of the service.
    [[nodiscard]] std::size_t streams(std::uint16_t service, const char* item);
    /// The number of a service; null: of the first one. Failure(EMI_E_ARGUMENT) for one that is not there.
    [[nodiscard]] std::uint16_t serviceNumber(const char* service) const;
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
    using Handle = emissary::capi::StreamHandle;
    using Stream = emissary::capi::Stream;
    /// Of a login that the program was asked about.
    struct Login {
        Handle client = 0;
        std::string user;
        std::uint64_t asked = 0;  ///< number of the request that waits for the program's answer; 0: none does
        bool accepted = false;
    };
    using Key = std::pair<std::uint16_t, Name>;  // domain and item

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
    /// Hands the login out where the program takes logins; returns whether it does. `again`: of an open login.
    bool handOutLogin(const refinitiv::ema::access::ReqMsg& request,
                      const refinitiv::ema::access::OmmProviderEvent& event, bool again);
    /// With a login its items go. lock_ held.
    void forgetClient(Handle client);
    void answerRequest(const refinitiv::ema::access::ReqMsg& request,
                       const refinitiv::ema::access::OmmProviderEvent& event);
    /// The streams of an item, for an image: those that wait wait no longer. lock_ held.
    [[nodiscard]] std::vector<std::pair<Handle, Stream>> streamsToAnswer(const Name& name, std::uint16_t domain);
    /// What is kept of the stream's item goes into the image as the stream wants to see it; false: nothing is. `list`
    /// holds it. lock_ held.
    [[nodiscard]] bool imageOf(const Stream& stream, refinitiv::ema::access::FieldList& list,
                               refinitiv::ema::access::RefreshMsg& image) const;
    /// Answers the request of the stream now, or, when the client's output is full, when there is room: with what is
    /// kept then. `image` is complete.
    void submit(refinitiv::ema::access::OmmProvider& provider, Handle handle, const Stream& stream,
                const refinitiv::ema::access::RefreshMsg& image);
    /// Makes an image the answer to the stream's request; its payload stays.
    static refinitiv::ema::access::RefreshMsg& answerTo(const Stream& stream,
                                                        refinitiv::ema::access::RefreshMsg& image);
    /// Ends the stream of the request with a status; `name`: of the item that it asks for.
    void refuse(const refinitiv::ema::access::ReqMsg& request, const refinitiv::ema::access::OmmProviderEvent& event,
                const Name& name, refinitiv::ema::access::OmmState::StreamState stream,
                refinitiv::ema::access::OmmState::StatusCode code, const char* text);
    /// Sends to those streams; one that has ended meanwhile is left out.
    template <class Make>
    void toAll(const std::vector<std::pair<Handle, Stream>>& streams, Make&& make);
    /// Of an open stream; empty without one.
    [[nodiscard]] Name nameOf(Handle handle);
    /// Hands a message out; false when there is no room. `number` is the row's item.
    bool handOut(emi_type type, const refinitiv::ema::access::Msg& msg, const Name& stream, std::uint64_t number = 0);

    const std::vector<std::string> services_;

    refinitiv::ema::rdm::DataDictionary dictionary_;
    emissary::capi::Inbox inbox_;
    // Of publish(), send() and status(): what they keep leaves in the same order. Before lock_.
    emissary::capi::Order sending_;
    std::mutex lock_;
    std::map<Name, emissary::capi::KeptFields> images_;                  // under lock_
    std::map<Key, std::shared_ptr<emissary::capi::Built>> otherImages_;  // under lock_; of what send() gave
    emissary::capi::Streams streams_;                                    // under lock_
    std::map<Handle, Login> logins_;                                     // under lock_
    std::map<std::uint64_t, Handle> asked_;  // under lock_; the logins that wait, by Login::asked
    std::uint64_t lastAsked_ = 0;            // under lock_
    bool takesRequests_ = false;             // under lock_
    bool takesLogins_ = false;               // under lock_
    std::uint8_t nack_ = 0;                  // under lock_
    std::string nackText_;                   // under lock_
    emissary::capi::OwedAnswers owed_{sending_};
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;  // last: ends first
};
