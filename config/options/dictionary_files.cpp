// Looks for dictionary files in the working folder, beside the library or program, and where data is installed.
#include "config/options/dictionary_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include <dlfcn.h>

namespace emissary::parameters {

namespace {

namespace fs = std::filesystem;

/// The file that holds this code: the shared library, or the program that the archives were linked into.
fs::path ownFile() {
    Dl_info info{};
    static const char here = 0;
    std::error_code none;
    // A program that was found by PATH has a name without a folder.
    if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr ||
        std::string_view(info.dli_fname).find('/') == std::string_view::npos)
        return fs::read_symlink("/proc/self/exe", none);
    return fs::canonical(info.dli_fname, none);
}

/// PREFIX of PREFIX/bin/program, PREFIX/lib/library and PREFIX/lib/x86_64-linux-gnu/library. Other places are no
/// installation: what stands beside them is none of ours.
std::optional<fs::path> ownPrefix() {
    const fs::path folder = ownFile().parent_path();
    const auto named = [](const fs::path& p, std::string_view a, std::string_view b) {
        return p.filename() == a || p.filename() == b;
    };
    if (named(folder, "bin", "sbin") || named(folder, "lib", "lib64")) return folder.parent_path();
    if (named(folder.parent_path(), "lib", "lib64")) return folder.parent_path().parent_path();
    return std::nullopt;
}

/// The name without "./"; nothing for a name with a folder.
std::optional<std::string> bare(std::string_view name) {
    while (name.starts_with("./"))
        name.remove_prefix(2);
    if (name.empty() || name.find('/') != std::string_view::npos) return std::nullopt;
    return std::string(name);
}

bool isThere(const fs::path& file) {
    std::error_code none;
    // What cannot be looked at is there: opening it says why it cannot be used.
    return fs::status(file, none).type() != fs::file_type::not_found;
}

}  // namespace

std::vector<std::string> installedDataFolders() {
    std::vector<std::string> folders;
    const auto add = [&](std::string folder) {
        if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
    };
    if (const auto prefix = ownPrefix()) add((*prefix / "share/emissary").string());
    add(EMISSARY_DATA_FOLDER);
    add("/usr/local/share/emissary");
    add("/usr/share/emissary");
    return folders;
}

FoundDictionary findDictionary(const std::string& fieldFile, const std::string& enumFile,
                               const std::vector<std::string>& folders) {
    FoundDictionary found{.fieldFile = fieldFile, .enumFile = enumFile, .lookedIn = {}};
    const auto fields = bare(fieldFile), enums = bare(enumFile);
    if (!fields || !enums || isThere(*fields) || isThere(*enums)) return found;
    for (const std::string& folder : folders) {
        const fs::path data(folder);
        if (isThere(data / *fields) && isThere(data / *enums))
            return {.fieldFile = (data / *fields).string(),
                    .enumFile = (data / *enums).string(),
                    .installed = true,
                    .lookedIn = {}};
        found.lookedIn += (found.lookedIn.empty() ? "" : ", ") + folder;
    }
    return found;
}

}  // namespace emissary::parameters
