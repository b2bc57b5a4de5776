// Where a dictionary's files are read from when the configuration names files that are not in the working folder.
#include "config/options/dictionary_files.h"
#include "support/TestFolder.h"
#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>

using namespace emissary;
using parameters::findDictionary;
namespace fs = std::filesystem;

namespace {
/// A folder with both files, one with the fields alone, and a working folder that has none.
struct Folders {
    test::TestFolder work;
    fs::path both = work.path() / "both", half = work.path() / "half";

    Folders() {
        fs::create_directory(both);
        fs::create_directory(half);
        for (const auto& file : {both / "RDMFieldDictionary", both / "enumtype.def", half / "RDMFieldDictionary"})
            test::TestFolder::write(file.string(), "!tag Type 1\n");
    }
};
}  // namespace

TEST_CASE("a dictionary that the working folder has not is the installed one, both files of one folder",
          "[parameters][dictionary]") {
    const Folders f;
    for (const char* prefix : {"", "./", "././"}) {
        CAPTURE(prefix);
        const auto found =
            findDictionary(prefix + std::string("RDMFieldDictionary"), prefix + std::string("enumtype.def"),
                           {"/nowhere", f.half.string(), f.both.string()});
        CHECK(found.installed);
        CHECK(found.fieldFile == (f.both / "RDMFieldDictionary").string());
        CHECK(found.enumFile == (f.both / "enumtype.def").string());
    }
}

TEST_CASE("a dictionary that is named with a folder, or of which one file is there, is never replaced",
          "[parameters][dictionary]") {
    const Folders f;
    const auto kept = [&](const std::string& fields, const std::string& enums) {
        const auto found = findDictionary(fields, enums, {f.both.string()});
        CHECK_FALSE(found.installed);
        CHECK(found.fieldFile == fields);
        CHECK(found.enumFile == enums);
        CHECK(found.lookedIn.empty());
    };
    kept("/nowhere/RDMFieldDictionary", "enumtype.def");
    kept("etc/RDMFieldDictionary", "etc/enumtype.def");
    kept("../RDMFieldDictionary", "./enumtype.def");
    kept("RDMFieldDictionary", "");
    test::TestFolder::write("enumtype.def",
                            "");  // two makers' files are not mixed: the error names the one that is missing
    kept("./RDMFieldDictionary", "./enumtype.def");
    test::TestFolder::write("RDMFieldDictionary", "");
    kept("./RDMFieldDictionary", "./enumtype.def");
}

TEST_CASE("a dictionary that is nowhere keeps its name, and says where it was looked for", "[parameters][dictionary]") {
    const Folders f;
    const auto found = findDictionary("./no_such_fields", "enumtype.def", {"/nowhere", f.both.string()});
    CHECK_FALSE(found.installed);
    CHECK(found.fieldFile == "./no_such_fields");
    CHECK(found.lookedIn == "/nowhere, " + f.both.string());
}

TEST_CASE("installed data is looked for in the usual prefixes, each once", "[parameters][dictionary]") {
    const auto folders = parameters::installedDataFolders();
    for (const char* usual : {"/usr/local/share/emissary", "/usr/share/emissary"})
        CHECK(std::count(folders.begin(), folders.end(), usual) == 1);
}
