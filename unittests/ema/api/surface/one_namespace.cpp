// A program with a namespace of its own under the name that earlier levels of EMA have: EMISSARY_ONE_NAMESPACE leaves
// it to the program. Compiling this is the test.
#define EMISSARY_ONE_NAMESPACE

namespace thomsonreuters {
/// Of the program, not of the interface.
constexpr int ownNumber() {
    return 3;
}
}  // namespace thomsonreuters

#include "Ema.h"

static_assert(thomsonreuters::ownNumber() == 3);
