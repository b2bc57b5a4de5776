// Adds up what sessions free, and asks the C library for the pages back.
#include "loop/heap.h"

#include <atomic>
#include <mutex>

#include <malloc.h>

namespace emissary::reactor {
namespace {

constexpr std::size_t kWorthIt = 1u << 20;
constexpr int kMostLooks = 12;

struct Heap {
    std::atomic<std::size_t> freed{0};
    std::mutex mutex;
    std::size_t seen = 0;  // guarded by mutex: freed, at the last look
    int looks = 0;         // guarded by mutex: since enough was freed
};

Heap& heap() noexcept {
    static Heap h;
    return h;
}

}  // namespace

void noteHeapFreed(std::size_t bytes) noexcept {
    heap().freed.fetch_add(bytes, std::memory_order_relaxed);
}

/// True: the caller gives memory back to the system now. While much is still being freed, it is put off, a few times.
bool heapReturnDue() noexcept {
    Heap& h = heap();
    if (h.freed.load(std::memory_order_relaxed) < kWorthIt) return false;
    const std::unique_lock guard(h.mutex, std::try_to_lock);
    if (!guard.owns_lock()) return false;
    const std::size_t freed = h.freed.load(std::memory_order_relaxed);
    if (freed < kWorthIt) return false;
    if (freed - h.seen >= kWorthIt && ++h.looks < kMostLooks) {
        h.seen = freed;
        return false;
    }
    h.freed.fetch_sub(freed, std::memory_order_relaxed);
    h.seen = 0;
    h.looks = 0;
    return true;
}

void returnHeap() noexcept {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

}  // namespace emissary::reactor
