// The functions of emissary.h that take a non-interactive provider.
#include "calls/calls.h"
#include "provider/NiProvider.h"

using namespace emissary::capi;

namespace {

/// A call about one item.
template <class Work>
int aboutItem(emi_ni_provider* provider, const char* item, emi_error* error, Work&& work) noexcept {
    return guarded(error, [&] {
        need(provider, "provider");
        need(item, "item");
        if (*item == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the item is empty");
        work();
    });
}

}  // namespace

int emi_ni_provider_open(const emi_config* config, const char* service, uint32_t service_id, const char* dictionaries,
                         emi_ni_provider** provider, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        *provider = nullptr;
        need(config, "config");
        need(service, "service");
        need(dictionaries, "dictionaries");
        if (*service == '\0') throw Failure(EMI_E_ARGUMENT, "the name of the service is empty");
        if (service_id > 65'535)
            throw Failure(EMI_E_ARGUMENT, "service id " + std::to_string(service_id) + " is not one of 0 to 65535");
        *provider = std::make_unique<emi_ni_provider>(*config, service, service_id, dictionaries).release();
    });
}

void emi_ni_provider_close(emi_ni_provider* provider) {
    delete provider;
}

int emi_ni_provider_publish(emi_ni_provider* provider, const char* item, const emi_value* values, size_t count,
                            emi_error* error) {
    return aboutItem(provider, item, error, [&] {
        if (count > 0) need(values, "values");
        provider->publish(item, values, count);
    });
}

int emi_ni_provider_send(emi_ni_provider* provider, const char* item, uint32_t domain, int type, const emi_value* data,
                         size_t count, emi_error* error) {
    return aboutItem(provider, item, error,
                     [&] { provider->send(item, domain, static_cast<emi_type>(type), data, count); });
}

int emi_ni_provider_status(emi_ni_provider* provider, const char* item, int state, const char* text, emi_error* error) {
    return aboutItem(provider, item, error,
                     [&] { provider->status(item, static_cast<emi_state>(state), text == nullptr ? "" : text); });
}

int emi_ni_provider_service(emi_ni_provider* provider, int up, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        provider->serviceState(up != 0);
    });
}

int emi_ni_provider_connected(emi_ni_provider* provider, int* connected, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(connected, "connected");
        *connected = provider->connected() ? 1 : 0;
    });
}

int emi_ni_provider_next_batch(emi_ni_provider* provider, int64_t timeout_ms, emi_batch** batch, emi_error* error) {
    return guarded(error, [&] {
        need(provider, "provider");
        need(batch, "batch");
        *batch = nullptr;
        // Owned by the caller from here on, who frees it with emi_batch_free().
        *batch = provider->inbox().take(timeout_ms).release();
    });
}
