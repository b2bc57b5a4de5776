// Hashes of passwords, cheap ones.
#pragma once

#include <memory>
#include <string>

#include <crypt.h>

namespace emissary::test {

[[nodiscard]] inline std::string hashOf(const std::string& password, const char* setting = "$6$rounds=1000$salt") {
    const auto room = std::make_unique<crypt_data>();
    const char* const made = ::crypt_r(password.c_str(), setting, room.get());
    return made == nullptr ? "" : made;
}

}  // namespace emissary::test
