// Reads members of keys, and makes keys of their numbers.
#include "oauth/jwk.h"

#include "oauth/base64url.h"

namespace emissary::rest {

bool readMembers(JsonText& json, JsonText::Object& object, Members& out) {
    for (auto field : object) {
        std::string_view name;
        JsonText::Value value;
        if (field.unescaped_key().get(name) != simdjson::SUCCESS || field.value().get(value) != simdjson::SUCCESS)
            return false;
        Secret content;
        const std::string key(name);
        if (json.string(value, content)) out.insert_or_assign(key, std::move(content));
    }
    return true;
}

Number numberOf(const Members& members, std::string_view name) {
    const auto at = members.find(name);
    Secret bytes;
    if (at == members.end() || !decodeBase64Url(at->second.view(), bytes) || bytes.empty()) return {};
    return Number(BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.view().data()), static_cast<int>(bytes.size()),
                            BN_secure_new()));
}

const char* pointOf(const Members& members, Secret& point) {
    point = Secret(std::string_view("\4", 1));
    for (const char* name : {"x", "y"}) {
        Secret half;
        const auto at = members.find(std::string_view(name));
        if (at == members.end() || !decodeBase64Url(at->second.view(), half) || half.size() != 32) return name;
        point.append(half.view());
    }
    return nullptr;
}

EVP_PKEY* buildKey(const char* type, OSSL_PARAM_BLD* builder, int selection) {
    const Parameters parameters(OSSL_PARAM_BLD_to_param(builder));
    const Context context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* key = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &key, selection, parameters.get()) != 1)
        return nullptr;
    return key;
}

}  // namespace emissary::rest
