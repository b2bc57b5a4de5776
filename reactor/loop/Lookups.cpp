// reactor/loop: resolves names on short-lived threads and hands the results back to the loop.
#include "loop/Lookups.h"

#include <chrono>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace emissary::reactor {

bool Lookups::deliver(Letter& letter) {
    const std::lock_guard guard(mutex);
    if (wakeFd < 0) return true;
    if (!letters.tryPost(letter)) return false;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto n = write(wakeFd, &one, sizeof one);
    return true;
}

void Lookups::begin(const std::shared_ptr<Lookups>& box, std::uint64_t linkId,
                    const eta::transport::ConnectOptions& options) {
    const auto deliver = [&box](Letter letter) {
        if (!box->deliver(letter)) throw std::bad_alloc();  // this thread empties the box and cannot wait
    };
    // Read here, while nobody but the owners of the reactor can be using it: the look-up below may outlive everything.
    if (eta::Refused refused = eta::transport::checkConnect(options))
        return deliver({linkId, nullptr, std::move(refused)});
    try {
        // It may run for as long as a dead name server keeps it, even while the process ends: it has its own copies,
        // looks up, and leaves the sockets, TLS and everything else to the dispatching thread.
        std::thread([box, linkId, options] {
            Letter letter{linkId, nullptr, {"out of memory"}};
            try {
                letter = {linkId, eta::transport::lookUp(options), {}};
            } catch (const std::bad_alloc&) {}
            while (!box->deliver(letter))
                std::this_thread::sleep_for(std::chrono::milliseconds(10));  // until the loop has taken some
        }).detach();
    } catch (const std::system_error& e) {
        // An attempt that failed, like any other: another follows.
        deliver({linkId, nullptr, {std::string("no thread can be started to connect: ") + e.what()}});
    }
}

}  // namespace emissary::reactor
