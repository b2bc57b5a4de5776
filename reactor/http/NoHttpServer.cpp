// In place of HttpServer.cpp where the headers of libmicrohttpd were missing: pages are refused, and the text says why.
#include "reactor/http/HttpServer.h"

#include <system_error>

namespace emissary::reactor {

struct HttpServer::Impl {};

HttpServer::HttpServer(const HttpOptions&, Handler) {
    throw std::system_error(
        ENOTSUP, std::generic_category(),
        "this library was built without pages: its build found no headers of libmicrohttpd (install "
        "libmicrohttpd-dev and build it anew)");
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const noexcept {
    return 0;
}

bool HttpServer::mine(std::string_view) const noexcept {
    return false;
}

}  // namespace emissary::reactor
