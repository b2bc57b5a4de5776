// Reads a command line by its table, and writes the table as the lines of --help.
#include "eta/core/program_options.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace emissary::eta {

namespace {

constexpr std::size_t kLeftColumn = 28;

void appendLine(std::string& out, std::string left, std::string_view meaning) {
    left.resize(std::max(left.size() + 2, kLeftColumn), ' ');
    out += left;
    for (std::size_t end; (end = meaning.find('\n')) != std::string_view::npos; meaning.remove_prefix(end + 1)) {
        out.append(meaning.substr(0, end)).append("\n");
        out.append(kLeftColumn, ' ');
    }
    out.append(meaning).append("\n");
}

/// An option's name is nobody's value: what was meant as the value is missing.
[[nodiscard]] bool isOption(std::span<const ProgramOption> options, std::string_view word) noexcept {
    return word.starts_with('-') && std::ranges::any_of(options, [word](const ProgramOption& o) {
               return word == o.name || (!o.alias.empty() && word == o.alias);
           });
}

}  // namespace

ProgramLine readProgramLine(std::string_view program, std::span<const ProgramOption> options, int argc,
                            const char* const* argv) {
    ProgramLine line;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const auto row = std::find_if(options.begin(), options.end(), [word](const ProgramOption& o) {
            return word == o.name || (!o.alias.empty() && word == o.alias);
        });
        if (row == options.end()) {
            line.help = word == "--help" || word == "-?" || word == "-h";
            line.version = word == "--version";
            if (line.help || line.version) return line;
            if (word.size() > 1 && word.front() == '-') {
                line.unknown = word;
                line.mistake.append("unknown option [").append(word).append("]; ").append(program);
                line.mistake += " --help lists the options";
                return line;
            }
            line.words.emplace_back(word);
            continue;
        }
        std::string value, why;
        if (!row->argument.empty() && (i + 1 == argc || isOption(options, argv[i + 1])))
            why.append("needs a value: ").append(row->name).append(" ").append(row->argument);
        else if (!row->argument.empty()) value = argv[++i];
        if (why.empty()) why = row->take(value);
        if (why.empty()) continue;
        line.mistake.append(row->name).append(" ").append(why);
        return line;
    }
    return line;
}

std::string optionLines(std::span<const ProgramOption> options) {
    std::string out;
    for (const ProgramOption& o : options)
        appendLine(out, std::string("  ").append(o.name).append(o.argument.empty() ? "" : " ").append(o.argument),
                   o.meaning);
    appendLine(out, "  --help", "this text");
    appendLine(out, "  --version", "the version");
    return out;
}

bool standardOutputWritten(std::string_view program) noexcept {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
    // 0: an earlier write failed, whose reason is not known any more.
    const int why = errno;
    if (why == EPIPE) return true;
    std::fprintf(stderr, "%.*s: standard output cannot be written: %s\n", static_cast<int>(program.size()),
                 program.data(), why == 0 ? "an earlier write failed" : std::strerror(why));
    return false;
}

int printText(std::string_view program, std::string_view text) noexcept {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return standardOutputWritten(program) ? 0 : 1;
}

std::string noNumber(const std::string& least, const std::string& most, const std::string& value) {
    return "must be a number from " + least + " to " + most + ", not '" + value + "'";
}

}  // namespace emissary::eta
