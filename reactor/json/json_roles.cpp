// What the roles convert JSON messages with.
#include "niprovider/NiProviderRoleImpl.h"

namespace emissary::reactor {

JsonSources niprovider::NiProviderRole::Impl::jsonSources() const noexcept {
    return {options.dictionary.get(), &directory};
}

}  // namespace emissary::reactor
