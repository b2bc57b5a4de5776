// Overwrites memory in a way that no compiler removes.
#include "rest/Secret.h"

#include <openssl/crypto.h>

namespace emissary::rest {

void wipe(void* memory, std::size_t bytes) noexcept {
    // An ordinary memset before the memory is freed may be removed as a dead store.
    OPENSSL_cleanse(memory, bytes);
}

}  // namespace emissary::rest
