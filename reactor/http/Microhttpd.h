// The functions of libmicrohttpd that serve pages.
#pragma once

#include <microhttpd.h>

namespace emissary::reactor {

/// Looked up in the library when the first server is made. Linked in, it and the TLS library behind it would cost every
/// process 3 MB, and most processes serve no pages.
struct Microhttpd {
    decltype(&MHD_start_daemon) startDaemon;
    decltype(&MHD_stop_daemon) stopDaemon;
    decltype(&MHD_create_response_from_buffer) createResponse;
    decltype(&MHD_add_response_header) addHeader;
    decltype(&MHD_queue_response) queueResponse;
    decltype(&MHD_destroy_response) destroyResponse;
    decltype(&MHD_lookup_connection_value) valueOf;
    decltype(&MHD_run) run;
    decltype(&MHD_get_timeout) timeout;
    decltype(&MHD_get_daemon_info) infoOf;
    decltype(&MHD_get_connection_info) connectionInfo;

    /// Loads it once, for as long as the process lives; any thread. Throws std::system_error, whose text says what to
    /// install.
    [[nodiscard]] static const Microhttpd& loaded();
};

}  // namespace emissary::reactor
