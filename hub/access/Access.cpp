// Reads the files, and answers from them.
#include "hub/access/Access.h"

namespace emissary::hub::access {

AccessFiles readAccessFiles(const AccessSettings& settings) {
    AccessFiles made;
    const auto read = [&](const char* parameter, const std::string& file, const auto& use) {
        if (file.empty()) return;
        Faults faults;
        std::string text;
        if (readTextFile(file, text, faults)) use(text, faults);
        for (const std::string& line : faults.lines(file))
            made.errors.push_back(std::string(parameter) + ": " + line);
    };
    read("Permission", settings.permission, [&](const std::string& text, Faults& faults) {
        Rules rules = Rules::read(text, faults);
        if (faults.empty()) made.rules = std::make_shared<const Rules>(std::move(rules));
    });
    return made;
}

eta::Refused Access::start() {
    AccessFiles files = readAccessFiles(settings_);
    if (!files.errors.empty()) {
        if (log_)
            for (const std::string& error : files.errors)
                log_(Severity::error, error);
        return {files.errors.front()};
    }
    if (files.rules) permission_ = std::make_unique<Permission>(std::move(files.rules));
    return {};
}

std::optional<client::RequestVerdict> Access::check(const client::RequestAsk& ask, std::uint64_t,
                                                    client::RequestVerdicts&) {
    return stillGranted(ask);
}

client::RequestVerdict Access::stillGranted(const client::RequestAsk& ask) {
    const Rule* const rule = permission_->decide(ask);
    if (rule != nullptr && rule->allows) return {};
    return {false, Permission::refusal(ask, rule)};
}

}  // namespace emissary::hub::access
