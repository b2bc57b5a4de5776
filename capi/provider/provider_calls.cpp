// The functions of emissary.h that take a provider.
#include "calls/calls.h"
#include "provider/Provider.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace emissary::capi;

namespace {

emi_provider::Name nameOf(emi_provider* provider, const char* service, const char* item) {
    need(provider, "provider");
    need(item, "item");
    return {provider->serviceNumber(service), item};
}

/// Of an item that comes to be.
emi_provider::Name newName(emi_provider* provider, const char* service, const char* item) {
    auto name = nameOf(provider, service, item);
    if (name.item.empty()) throw Failure(EMI_E_ARGUMENT, "the name of the item is empty");
    return name;
}

}  // namespace

int emi_provider_open_services(const char* port, const char* const* services, size_t count, const char* dictionaries,
                               int json, emi_provider** provider, emi_error* error) {
    return guarded(error, [&] {
        constexpr std::size_t kMostServices = 1000;
        need(provider, "provider");
        *provider = nullptr;
        need(port, "port");
        need(services, "services");
        need(dictionaries, "dictionaries");
        unsigned number = 0;
        const char* end = port + std::strlen(port);
        const auto [read, failed] = std::from_chars(port, end, number);
        if (failed != std::errc{} || read != end || number > 65'535)
            throw Failure(EMI_E_ARGUMENT, std::string("port is a number from 0 to 65535, not '") + port + "'");
        if (count < 1 || count > kMostServices)
            throw Failure(EMI_E_ARGUMENT,
                          std::to_string(count) + " services; a provider has 1 to " + std::to_string(kMostServices));
        std::vector<std::string> names;
        for (std::size_t i = 0; i < count; ++i) {
            need(services[i], "service");
            if (*services[i] == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the service is empty");
            if (std::find(names.begin(), names.end(), services[i]) != names.end())
                throw Failure(EMI_E_ARGUMENT, std::string("service ") + services[i] + " is named twice");
            names.emplace_back(services[i]);
        }
        *provider = std::make_unique<emi_provider>(port, names, dictionaries, json != 0).release();
    });
}

int emi_provider_open(const char* port, const char* service, const char* dictionaries, int json,
                      emi_provider** provider, emi_error* error) {
    return emi_provider_open_services(port, &service, 1, dictionaries, json, provider, error);
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

int emi_provider_publish_to(emi_provider* provider, const char* service, const char* item, const emi_value* values,
                            size_t count, emi_error* error) {
    return guarded(error, [&] {
        const auto name = newName(provider, service, item);
        if (count > 0) need(values, "values");
        provider->publish(name, values, count);
    });
}

int emi_provider_publish(emi_provider* provider, const char* item, const emi_value* values, size_t count,
                         emi_error* error) {
    return emi_provider_publish_to(provider, nullptr, item, values, count, error);
}

int emi_provider_status_of(emi_provider* provider, const char* service, const char* item, int state, const char* text,
                           emi_error* error) {
    return guarded(error, [&] {
        provider->status(nameOf(provider, service, item), static_cast<emi_state>(state), text == nullptr ? "" : text);
    });
}

int emi_provider_status(emi_provider* provider, const char* item, int state, const char* text, emi_error* error) {
    return emi_provider_status_of(provider, nullptr, item, state, text, error);
}

int emi_provider_streams_of(emi_provider* provider, const char* service, const char* item, size_t* count,
                            emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(count, "count");
        *count = provider->streams(service == nullptr && item == nullptr ? 0 : provider->serviceNumber(service), item);
    });
}

int emi_provider_streams(emi_provider* provider, const char* item, size_t* count, emi_error* error) {
    return emi_provider_streams_of(provider, nullptr, item, count, error);
}

int emi_provider_send_to(emi_provider* provider, const char* service, const char* item, uint32_t domain, int type,
                         const emi_value* data, size_t count, emi_error* error) {
    return guarded(error, [&] {
        provider->send(newName(provider, service, item), domain, static_cast<emi_type>(type), data, count);
    });
}

int emi_provider_send(emi_provider* provider, const char* item, uint32_t domain, int type, const emi_value* data,
                      size_t count, emi_error* error) {
    return emi_provider_send_to(provider, nullptr, item, domain, type, data, count, error);
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
