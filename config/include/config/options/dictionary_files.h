// config/options: the two files of a dictionary, as the configuration names them or as they were installed.
#pragma once

#include <string>
#include <vector>

namespace emissary::parameters {

/// The files as they are opened, and why.
struct FoundDictionary {
    std::string fieldFile, enumFile;
    bool installed =
        false;             ///< neither file was where the configuration names it; these were installed with the library
    std::string lookedIn;  ///< the folders of installed data where they were not found either; empty: not looked for
};

/// The folders where installed data may be, the nearest first: beside the shared library or the program
/// (PREFIX/share/emissary for PREFIX/lib and PREFIX/bin), the prefix of the build, /usr/local and /usr. Any thread.
[[nodiscard]] std::vector<std::string> installedDataFolders();

/// Names without a folder ("./" is none) of which the working folder has neither are looked for in `folders`: the first
/// that has both gives both, so that files of two makers are never mixed. Otherwise the names stay as they are. Any
/// thread; looks at the file system.
[[nodiscard]] FoundDictionary findDictionary(const std::string& fieldFile, const std::string& enumFile,
                                             const std::vector<std::string>& folders = installedDataFolders());

}  // namespace emissary::parameters
