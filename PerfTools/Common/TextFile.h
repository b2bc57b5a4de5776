// The files that a tool writes.
#pragma once
#include <cstdio>
#include <memory>
#include <string>

namespace emissary::perf {

/// A text file that is created anew. Used by one thread.
class TextFile {
public:
    /// growing: others may read what was written so far. whole: the text is written to NAME.part, which becomes NAME
    /// with the first write(); until then there is no file of that name, not even one of an earlier run.
    enum class Kind : bool { growing, whole };
    /// Throws InputError when it cannot be opened.
    explicit TextFile(const std::string& name, Kind kind = Kind::growing);
    /// A whole file that was never written leaves nothing behind.
    ~TextFile();
    TextFile(TextFile&&) noexcept = default;
    TextFile& operator=(TextFile&&) = delete;
    /// Writes the text through to the file. The first failure is reported on the console; after it nothing more is
    /// written.
    void write(const std::string& text);

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    void fail(const char* what);

    std::string name_;
    std::string written_;  // what is open: name_, or name_.part
    std::unique_ptr<std::FILE, Close> file_;
    bool failed_ = false;
};

/// True once a TextFile of this process, or the console, could not be written: the program has failed then, whatever it
/// measured. Any thread may ask.
[[nodiscard]] bool outputFailed() noexcept;
/// Writes the console through, at the end of a program. `code`; or `failure`, with a sentence on standard error, when
/// something of what the program wrote is not there.
[[nodiscard]] int codeOfOutput(int code, int failure) noexcept;
/// The message about the first such file; empty when there is none, or it is the console. Any thread.
[[nodiscard]] std::string outputFailure();

}  // namespace emissary::perf
