// eta/core: the command line of a program: a table of options, from which it is read and --help is made. The
// performance tools have a table of their own (PerfTools/Common/Options.h), which says more of each option.
#pragma once

#include <charconv>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emissary::eta {

/// One option.
struct ProgramOption {
    std::string_view name;      ///< with its dashes
    std::string_view argument;  ///< what follows, as --help calls it: "PORT"; empty: nothing follows
    std::string_view meaning;   ///< for --help; may have several lines
    /// Takes the value, which is empty where nothing follows. Returns what is wrong with it, as the end of a sentence
    /// that the option begins; empty: nothing.
    std::function<std::string(const std::string&)> take;
    std::string_view alias{};  ///< another spelling
};

/// What a command line says beside the values that its options took.
struct ProgramLine {
    bool help = false, version = false;  ///< asked for: what stands behind it was not read
    std::vector<std::string> words;      ///< what is no option, in order
    std::string unknown;                 ///< an option that is none: `mistake` says so
    std::string mistake;                 ///< not empty: what cannot be used; nothing behind it was read
};

/// Reads the words after the program's name. `--help`, `-?`, `--version` and, where it is no option of the program's
/// own, `-h` are understood without a row. A single dash is a word.
[[nodiscard]] ProgramLine readProgramLine(std::string_view program, std::span<const ProgramOption> options, int argc,
                                          const char* const* argv);
/// The options for --help, a line each or more, with `--help` and `--version` at the end.
[[nodiscard]] std::string optionLines(std::span<const ProgramOption> options);

/// Whether all that was written to standard output has gone out; otherwise says so on standard error, and the program
/// has failed. A reader that has closed its end (head, less) wants no more: no failure.
[[nodiscard]] bool standardOutputWritten(std::string_view program) noexcept;
/// Writes a text that was asked for, --help or --version, to standard output. The program's exit code: 0, or 1 when it
/// could not be written.
[[nodiscard]] int printText(std::string_view program, std::string_view text) noexcept;

// --- values; the fields outlive the table

/// "must be a number from 1 to 9, not 'x'".
[[nodiscard]] std::string noNumber(const std::string& least, const std::string& most, const std::string& value);

/// A number within the bounds.
template <class Number>
[[nodiscard]] auto takeNumber(Number& into, Number least = std::numeric_limits<Number>::lowest(),
                              Number most = std::numeric_limits<Number>::max()) {
    return [&into, least, most](const std::string& value) -> std::string {
        Number n{};
        const char* const end = value.data() + value.size();
        const auto [at, ec] = std::from_chars(value.data(), end, n);
        if (ec == std::errc() && at == end && n >= least && n <= most) return into = n, "";
        return noNumber(std::to_string(least), std::to_string(most), value);
    };
}

/// Any text but an empty one.
[[nodiscard]] inline auto takeText(std::string& into) {
    return [&into](const std::string& value) -> std::string {
        into = value;
        return value.empty() ? "has an empty value" : "";
    };
}

/// Of an option that nothing follows.
[[nodiscard]] inline auto takeFlag(bool& into) {
    return [&into](const std::string&) -> std::string { return into = true, ""; };
}

/// One of some words.
template <class Value>
[[nodiscard]] auto takeChoice(Value& into, std::initializer_list<std::pair<std::string_view, Value>> choices) {
    return [&into, all = std::vector(choices)](const std::string& value) -> std::string {
        std::string known;
        for (const auto& [word, meant] : all) {
            if (value == word) return into = meant, "";
            known.append(known.empty() ? "" : ", ").append(word);
        }
        return "must be one of " + known + ", not '" + value + "'";
    };
}

}  // namespace emissary::eta
