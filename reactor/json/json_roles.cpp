// What the roles convert JSON messages with.
#include "niprovider/NiProviderRoleImpl.h"
#include "provider/ProviderRoleImpl.h"

#include <algorithm>

namespace emissary::reactor {

/// The first dictionary with fields among those served.
JsonSources Session::jsonSources() const noexcept {
    const auto& served = role.options.dictionaries;
    const auto fields = std::find_if(served.begin(), served.end(), [](const ServedDictionary& d) {
        return d.dictionary != nullptr && d.dictionary->hasFields();
    });
    return {fields == served.end() ? nullptr : fields->dictionary.get(), &role.directory};
}

void Session::onJsonFailure(Link&, const std::string& text) {
    if (!dead) role.handler.onJsonFailure(handle, text);
}

JsonSources niprovider::NiProviderRole::Impl::jsonSources() const noexcept {
    return {options.dictionary.get(), &directory};
}

}  // namespace emissary::reactor
