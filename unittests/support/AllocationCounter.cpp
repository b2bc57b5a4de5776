// Replaces operator new and delete of the program with ones that count.
#include "AllocationCounter.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace {
thread_local std::uint64_t count = 0;
thread_local std::uint64_t failing = 0;  // this one fails; 0 = none
thread_local std::size_t largest = 0;

void* allocate(std::size_t size) {
    if (++count == failing) throw std::bad_alloc();
    largest = std::max(largest, size);
    if (void* p = std::malloc(size != 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
}  // namespace

namespace emissary::test {
std::uint64_t allocationsOfThisThread() noexcept {
    return count;
}
std::size_t largestAllocationOfThisThread() noexcept {
    return std::exchange(largest, 0);
}
void failAllocation(std::uint64_t after) noexcept {
    failing = count + 1 + after;
}
bool allocationFailed() noexcept {
    const bool did = failing != 0 && count >= failing;
    failing = 0;
    return did;
}
}  // namespace emissary::test

// NOLINTBEGIN(misc-new-delete-overloads): all forms but the aligned ones
void* operator new(std::size_t size) {
    return allocate(size);
}
void* operator new[](std::size_t size) {
    return allocate(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return ++count == failing ? nullptr : std::malloc(size != 0 ? size : 1);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return ++count == failing ? nullptr : std::malloc(size != 0 ? size : 1);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    std::free(p);
}
// NOLINTEND(misc-new-delete-overloads)
