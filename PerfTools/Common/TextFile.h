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
    /// The text is in the file afterwards. The first time that fails, the console is told; then nothing more is
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

/// True once a TextFile of this process could not be written, or the console: the program has failed then, whatever it
/// measured. Any thread.
[[nodiscard]] bool outputFailed() noexcept;

}  // namespace emissary::perf
