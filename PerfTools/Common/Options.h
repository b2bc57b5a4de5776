// PerfTools/Common: the options of the performance tools. One table says everything about an option; parsing, usage,
// the "--- TEST INPUTS ---" lines and docs/options.md are all made from it.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// The programs that share the table. Values are bits: a row may belong to several programs.
enum class Tool : std::uint8_t { consumer = 1, provider = 2, niProvider = 4, transport = 8 };

/// What follows the option on the command line.
enum class Argument : std::uint8_t {
    none,    ///< a flag
    number,  ///< a whole number within OptionSpec::min and max
    rate,    ///< a whole number or `all`
    text,    ///< any text
    choice,  ///< one of OptionSpec::choices
    cpus,    ///< comma separated list of processor bindings
};

/// How far an option goes.
enum class Support : std::uint8_t {
    full,      ///< works
    noEffect,  ///< accepted for the sake of existing command lines; changes nothing here
    refused,   ///< known, but refused with OptionSpec::instead
};

/// How a value is shown among the test inputs.
enum class Show : std::uint8_t {
    no,       ///< not a test input
    asGiven,  ///< the value's text
    yesNo,    ///< Yes or No
    ifGiven,  ///< the value's text, only when the option was given
};

struct SettingsView;

/// What an option came to be, for the field that it is bound to.
struct OptionValue {
    const std::string& text;
    std::int64_t number = 0;
    bool given = false;   ///< stood on the command line
    bool isFlag = false;  ///< nothing follows it: being given is the value
};

/// Lays the value of an option into its field of the settings (Settings.h).
using StoreOption = void (*)(const SettingsView&, const OptionValue&);

/// One option of one or more tools.
struct OptionSpec {
    std::string_view name;  ///< with the leading dash
    std::uint8_t tools;     ///< bits of Tool
    Argument argument = Argument::none;
    std::string_view defaultText = {};
    std::string_view help = {};
    std::string_view label = {};  ///< label among the test inputs
    std::uint8_t position = 0;    ///< place among the test inputs, from 1
    Show show = Show::no;
    std::string_view unset = {};  ///< shown among the test inputs when the value is empty
    Support support = Support::full;
    std::string_view choices = {};  ///< comma separated
    std::int64_t min = 0;
    std::int64_t max = std::numeric_limits<std::int32_t>::max();
    std::string_view refused = {};  ///< values (comma separated) of a choice that are known but refused
    std::string_view instead = {};  ///< what to do instead of what is refused, a sentence
    /// The field it is bound to; null where more than one value decides together, which Settings.cpp reads.
    StoreOption store = nullptr;
};

/// All options of all tools, in the order in which usage and documentation list them.
[[nodiscard]] std::span<const OptionSpec> optionTable() noexcept;
/// `EmaCppConsPerf`, `EmaCppIProvPerf`, `EmaCppNIProvPerf` or `TransportPerf`.
[[nodiscard]] std::string_view toolName(Tool tool) noexcept;

/// A command line that cannot be used. what() is the complete text for the user.
class OptionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// `all`, as a rate: every message is a latency message.
inline constexpr std::int64_t kAllMessages = -1;

/// The values of one tool's options: the defaults until parse() lays the command line over them.
class Options {
public:
    explicit Options(Tool tool);

    /// Reads the arguments after the program's name; the last occurrence of an option wins. `--item-count` is another
    /// spelling of `-itemCount`, and so for every option. Throws OptionError.
    void parse(std::span<const std::string_view> arguments);

    [[nodiscard]] Tool tool() const noexcept { return tool_; }
    /// The text that a command line asks for instead of a run: the usage for `-?`, name and version for `--version`,
    /// else empty.
    [[nodiscard]] std::string toldInstead() const;
    /// True when the option stood on the command line.
    [[nodiscard]] bool given(std::string_view name) const { return find(name).given; }
    [[nodiscard]] bool flag(std::string_view name) const { return find(name).given; }
    [[nodiscard]] std::int64_t number(std::string_view name) const { return find(name).number; }
    /// A number, or kAllMessages.
    [[nodiscard]] std::int64_t rate(std::string_view name) const { return find(name).number; }
    [[nodiscard]] const std::string& text(std::string_view name) const { return find(name).text; }

    /// Lays every value into the field that its row is bound to.
    void store(const SettingsView& settings) const;

    /// Replaces what the test inputs show for an option (a derived value, for example a name with its number).
    void showAs(std::string_view name, std::string text);
    /// The `--- TEST INPUTS ---` lines: label right-aligned in 24 columns, a colon, a blank, the value.
    [[nodiscard]] std::string testInputs() const;
    /// Every option with its value and where that came from, one a line, for --print-config.
    [[nodiscard]] std::string listing() const;
    /// What `-?` prints: one line per option.
    [[nodiscard]] std::string usage() const;

private:
    struct Value {
        const OptionSpec* spec = nullptr;
        std::string text;
        std::string shown;
        std::int64_t number = 0;
        bool given = false;
    };
    [[nodiscard]] const Value& find(std::string_view name) const;
    [[nodiscard]] Value* spelled(std::string_view argument);
    [[nodiscard]] std::string nearest(std::string_view argument) const;
    void assign(Value& value, std::string_view text);

    Tool tool_;
    bool helpWanted_ = false;
    bool versionWanted_ = false;
    std::vector<Value> values_;
};

/// What a port is for: one to listen on may be 0, which lets the system choose.
enum class PortUse : std::uint8_t { listen, connect };
/// Throws OptionError unless the option, if given, is a port: a number, or the name of a service that the system knows.
void checkPort(const Options& options, std::string_view name, PortUse use = PortUse::listen);

/// docs/options.md.
[[nodiscard]] std::string optionsMarkdown();

}  // namespace emissary::perf
