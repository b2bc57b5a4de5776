// The functions of emissary.h that take a provider.
#include "calls/calls.h"
#include "provider/Provider.h"

#include <charconv>
#include <cstring>

using namespace emissary::capi;

int emi_provider_open(const char* port, const char* service, const char* dictionaries, int json,
                      emi_provider** provider, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        *provider = nullptr;
        need(port, "port");
        need(service, "service");
        need(dictionaries, "dictionaries");
        unsigned number = 0;
        const char* end = port + std::strlen(port);
        const auto [read, failed] = std::from_chars(port, end, number);
        if (failed != std::errc{} || read != end || number > 65'535)
            throw Failure(EMI_E_ARGUMENT, std::string("port is a number from 0 to 65535, not '") + port + "'");
        if (*service == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the service is empty");
        *provider = std::make_unique<emi_provider>(port, service, dictionaries, json != 0).release();
    });
}

void emi_provider_close(emi_provider* provider) {
    delete provider;
}

int emi_provider_port(emi_provider* provider, uint16_t* port, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(port, "port");
        *port = provider->port();
    });
}

int emi_provider_publish(emi_provider* provider, const char* item, const emi_value* values, size_t count,
                         emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(item, "item");
        if (*item == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the item is empty");
        if (count > 0) need(values, "values");
        provider->publish(item, values, count);
    });
}

int emi_provider_status(emi_provider* provider, const char* item, int state, const char* text, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(item, "item");
        provider->status(item, static_cast<emi_state>(state), text == nullptr ? "" : text);
    });
}

int emi_provider_streams(emi_provider* provider, const char* item, size_t* count, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(count, "count");
        *count = provider->streams(item);
    });
}

int emi_provider_send(emi_provider* provider, const char* item, uint32_t domain, int type, const emi_value* data,
                      size_t count, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(item, "item");
        if (*item == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the item is empty");
        provider->send(item, domain, static_cast<emi_type>(type), data, count);
    });
}

int emi_provider_answer_posts(emi_provider* provider, uint32_t nack, const char* text, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        provider->answer(nack, text == nullptr ? "" : text);
    });
}

int emi_provider_take_requests(emi_provider* provider, int take, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        provider->takeRequests(take != 0);
    });
}

int emi_provider_take_logins(emi_provider* provider, int take, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        provider->takeLogins(take != 0);
    });
}

int emi_provider_answer_login(emi_provider* provider, uint64_t login, int accept, const char* text, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        // What a state has room for on the wire.
        constexpr std::size_t kMostText = 32'767;
        if (text != nullptr && ::strnlen(text, kMostText + 1) > kMostText)
            throw Failure(EMI_E_ARGUMENT, "text has more than " + std::to_string(kMostText) + " bytes");
        provider->answerLogin(login, accept != 0, text == nullptr ? "" : text);
    });
}

int emi_provider_next_batch(emi_provider* provider, int64_t timeout_ms, emi_batch** batch, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(batch, "batch");
        *batch = nullptr;
        // Owned by the caller from here on, who frees it with emi_batch_free().
        *batch = provider->inbox().take(timeout_ms).release();
    });
}
