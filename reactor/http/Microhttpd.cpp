// Loads the library when the first page is to be served, and looks up its functions.
#include "http/Microhttpd.h"

#include <cerrno>
#include <string>
#include <system_error>

#include <dlfcn.h>

namespace emissary::reactor {
namespace {

/// libmicrohttpd while its functions are looked up. It stays loaded for the life of the process, and is not linked, so
/// that programs without pages start without it. Throws std::system_error with the name of the package.
class Library {
public:
    Library() : handle_(::dlopen(EMISSARY_MICROHTTPD, RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ == nullptr) refuse();
    }
    template <class F>
    void find(F& function, const char* name) const {
        void* const symbol = ::dlsym(handle_, name);
        if (symbol == nullptr) refuse();
        function = reinterpret_cast<F>(symbol);
    }

private:
    [[noreturn]] static void refuse() {
        const char* const why = ::dlerror();
        throw std::system_error(ELIBACC, std::generic_category(),
                                "pages need the library libmicrohttpd (install " EMISSARY_MICROHTTPD "): " +
                                    std::string(why != nullptr ? why : "it cannot be used"));
    }
    void* const handle_;
};

/// Throws as Library does.
[[nodiscard]] Microhttpd load() {
    const Library library;
    Microhttpd m{};
    library.find(m.startDaemon, "MHD_start_daemon");
    library.find(m.stopDaemon, "MHD_stop_daemon");
    library.find(m.createResponse, "MHD_create_response_from_buffer");
    library.find(m.addHeader, "MHD_add_response_header");
    library.find(m.queueResponse, "MHD_queue_response");
    library.find(m.destroyResponse, "MHD_destroy_response");
    library.find(m.valueOf, "MHD_lookup_connection_value");
    library.find(m.run, "MHD_run");
    library.find(m.timeout, "MHD_get_timeout");
    library.find(m.infoOf, "MHD_get_daemon_info");
    library.find(m.connectionInfo, "MHD_get_connection_info");
    return m;
}

}  // namespace

const Microhttpd& Microhttpd::loaded() {
    static const Microhttpd functions = load();
    return functions;
}

}  // namespace emissary::reactor
