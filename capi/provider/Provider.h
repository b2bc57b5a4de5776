// capi/provider: an interactive provider of one service that keeps the images of its items.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "provider/fields.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// Requests come on the library's thread; publishing may be done by any. `lock_` is never held while the library is
/// called.
struct emi_provider final : refinitiv::ema::access::OmmProviderClient {
    emi_provider(const std::string& port, const std::string& service, const std::string& dictionaries, bool json);
    ~emi_provider() override;

    void publish(const std::string& item, const emi_value* values, std::size_t count);
    void status(const std::string& item, emi_state state, const char* text);
    [[nodiscard]] std::size_t streams(const char* item);

private:
    using Handle = refinitiv::ema::access::UInt64;
    struct Stream {
        Handle client;
        std::string item;
    };

    void onReqMsg(const refinitiv::ema::access::ReqMsg& request,
                  const refinitiv::ema::access::OmmProviderEvent& event) override;
    void onClose(const refinitiv::ema::access::ReqMsg& request,
                 const refinitiv::ema::access::OmmProviderEvent& event) override;
    [[nodiscard]] std::vector<Handle> handlesOf(const std::string& item);

    refinitiv::ema::rdm::DataDictionary dictionary_;
    std::mutex lock_;
    std::map<std::string, emissary::capi::KeptFields> images_;       // under lock_
    std::map<Handle, Stream> streams_;                               // under lock_
    std::unique_ptr<refinitiv::ema::access::OmmProvider> provider_;  // last: ends first
};
