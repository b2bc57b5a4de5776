// A program with namespaces of its own under the names that other levels of EMA have: EMISSARY_ONE_NAMESPACE leaves
// them to it. Compiling this is the test.
#define EMISSARY_ONE_NAMESPACE

namespace thomsonreuters {
/// Of the program, not of the interface.
constexpr int ownNumber() {
    return 3;
}
}  // namespace thomsonreuters

namespace rtsdk {
/// As above.
constexpr int ownNumber() {
    return 4;
}
}  // namespace rtsdk

#include "Ema.h"

static_assert(thomsonreuters::ownNumber() + rtsdk::ownNumber() == 7);
