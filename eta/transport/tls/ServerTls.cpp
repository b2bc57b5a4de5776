// Keeps a list of the encrypted listeners of the process, so that all of them can read their certificates again.
#include "transport/tls/ServerTls.h"

#include "eta/transport/certificates.h"

#include <utility>

namespace emissary::eta::transport {

namespace {

/// The encrypted listeners of this process; a handful at most.
struct Listeners {
    std::mutex mutex;
    std::vector<std::weak_ptr<ServerTls>> all;  // under mutex
};

[[nodiscard]] Listeners& listeners() {
    static Listeners one;
    return one;
}

}  // namespace

std::shared_ptr<ServerTls> ServerTls::make(const TlsOptions& options, Refused& refused) {
    std::shared_ptr<TlsContext> context = TlsContext::server(options, refused);
    if (context == nullptr) return nullptr;
    auto made = std::make_shared<ServerTls>(std::move(context));
    Listeners& known = listeners();
    const std::lock_guard guard(known.mutex);
    // Listeners that are gone are cleared here, where the list changes anyway.
    std::erase_if(known.all, [](const auto& one) { return one.expired(); });
    known.all.push_back(made);
    return made;
}

Refused ServerTls::renew() {
    Refused refused;
    std::shared_ptr<TlsContext> context = TlsContext::server(current()->options(), refused);
    if (context == nullptr) return refused;
    const std::lock_guard guard(mutex_);
    // The context is exchanged under the lock; connections keep the old one until they end.
    context_.swap(context);
    return {};
}

CertificateCheck checkCertificate(const TlsOptions& options) {
    CertificateCheck check;
    if (const auto context = TlsContext::server(options, check.refused)) check.warning = context->validity();
    return check;
}

// All are tried, so that one bad certificate does not stop the others.
std::vector<Refused> renewCertificates() {
    std::vector<std::shared_ptr<ServerTls>> all;
    {
        Listeners& known = listeners();
        const std::lock_guard guard(known.mutex);
        for (const auto& one : known.all)
            if (auto listener = one.lock()) all.push_back(std::move(listener));
    }
    std::vector<Refused> faults;
    for (const auto& one : all)
        if (Refused refused = one->renew()) faults.push_back(std::move(refused));
    return faults;
}

}  // namespace emissary::eta::transport
