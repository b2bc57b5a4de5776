// The files that a tool writes.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

namespace emissary::perf {

/// A text file that is created anew. Used by one thread.
class TextFile {
public:
    /// Throws InputError when it cannot be opened.
    explicit TextFile(const std::string& name);
    /// Writes the text through to the file. The first failure is reported on the console; after it nothing more is
    /// written.
    void write(const std::string& text);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    std::string name_;
    std::unique_ptr<std::FILE, Close> file_;
    bool failed_ = false;
};

/// True once a TextFile of this process, or the console, could not be written: the program has failed then, whatever it
/// measured. Any thread may ask.
[[nodiscard]] bool outputFailed() noexcept;

}  // namespace emissary::perf
