// Files that people write: read as a whole, and what is wrong in them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::access {

/// What is wrong in a file, by its line from 1; 0: the file as a whole. The text is the end of a sentence.
struct Fault {
    std::size_t line = 0;
    std::string text;
};

/// The faults of one file. The first hundred are kept, the others counted.
class Faults {
public:
    void add(std::size_t line, std::string text);
    [[nodiscard]] bool empty() const noexcept { return kept_.empty(); }
    /// All of them, those that were not kept included.
    [[nodiscard]] std::size_t size() const noexcept { return kept_.size() + more_; }
    [[nodiscard]] const std::vector<Fault>& kept() const noexcept { return kept_; }
    /// "rights.txt:3: ..." for each that was kept, and how many more there are.
    [[nodiscard]] std::vector<std::string> lines(const std::string& file) const;

private:
    std::vector<Fault> kept_;
    std::size_t more_ = 0;
};

/// The text of a file of at most 64 MiB. False: it cannot be read, which is a fault of line 0.
[[nodiscard]] bool readTextFile(const std::string& path, std::string& text, Faults& faults);

/// Calls back for each line with its number from 1, without the end of the line, whichever kind it is.
void eachLine(std::string_view text, const std::function<void(std::size_t number, std::string_view line)>& f);

/// Changes when a file is written or another one is put in its place; 0: there is none.
[[nodiscard]] std::uint64_t versionOf(const std::string& path) noexcept;

}  // namespace emissary::hub::access
