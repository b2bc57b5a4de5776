// PerfTools/Common: parses arguments by the table, suggests near names, and prints usage and test inputs.
#include "Options.h"

#include "Text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <netdb.h>
#include <optional>
#include <stdexcept>

namespace emissary::perf {

namespace {

// Columns of the guide's "test inputs" block: labels end here, and scripts cut there.
constexpr std::size_t kLabelWidth = 24;

// An empty word is in no list, not even between two commas.
[[nodiscard]] bool isListed(std::string_view list, std::string_view word) {
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        if (list.substr(begin, end - begin) == word && !word.empty()) return true;
        begin = end + 1;
    }
    return false;
}

[[nodiscard]] std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
    throw OptionError("Config Error: " + std::string(name) + ": " + why);
}

// What is left of an option's name when case and dashes are left out: the same for -itemCount and --item-count.
[[nodiscard]] std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name)
        if (c != '-') out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    return out;
}

// How many characters have to be put in, left out or changed to make one of the other.
[[nodiscard]] std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

[[nodiscard]] std::string hint(Tool tool) {
    return "\nRun '" + std::string(toolName(tool)) + " -?' to see the options.";
}

// A list with a blank after each comma.
[[nodiscard]] std::string spaced(std::string_view list) {
    std::string out;
    for (const char c : list) {
        out.push_back(c);
        if (c == ',') out.push_back(' ');
    }
    return out;
}

// The value of an option, as the documentation describes it.
[[nodiscard]] std::string valueText(const OptionSpec& spec) {
    switch (spec.argument) {
    case Argument::none:
        return "–";
    case Argument::number:
        return "number";
    case Argument::rate:
        return "number or `all`";
    case Argument::text:
        return "text";
    case Argument::choice:
        return spaced(spec.choices);
    case Argument::cpus:
        return "processors";
    }
    return {};
}

[[nodiscard]] std::string_view argumentName(const OptionSpec& spec) {
    switch (spec.argument) {
    case Argument::none:
        return "";
    case Argument::number:
        return "<number>";
    case Argument::rate:
        return "<number|all>";
    case Argument::text:
        return "<text>";
    case Argument::choice:
        return "<choice>";
    case Argument::cpus:
        return "<processors>";
    }
    return "";
}

}  // namespace

std::string_view toolName(Tool tool) noexcept {
    switch (tool) {
    case Tool::consumer:
        return "EmaCppConsPerf";
    case Tool::provider:
        return "EmaCppIProvPerf";
    case Tool::niProvider:
        return "EmaCppNIProvPerf";
    case Tool::transport:
        return "TransportPerf";
    }
    return {};
}

Options::Options(Tool tool) : tool_(tool) {
    for (const OptionSpec& spec : optionTable()) {
        if ((spec.tools & static_cast<std::uint8_t>(tool)) == 0) continue;
        Value& value = values_.emplace_back();
        value.spec = &spec;
        value.text = spec.defaultText;
        // The table spells a default once, as text; its number is derived from that.
        if (const auto number = wholeNumber(spec.defaultText)) value.number = *number;
    }
}

const Options::Value& Options::find(std::string_view name) const {
    const auto it = std::find_if(values_.begin(), values_.end(), [&](const Value& v) { return v.spec->name == name; });
    // The name comes from our sources, never from the command line: this is a mistake of ours.
    if (it == values_.end()) throw std::logic_error("no such option: " + std::string(name));
    return *it;
}

void Options::assign(Value& value, std::string_view text) {
    const OptionSpec& spec = *value.spec;
    if (spec.argument == Argument::rate && text == "all") {
        value.number = kAllMessages;
    } else if (spec.argument == Argument::number || spec.argument == Argument::rate) {
        const auto number = wholeNumber(text);
        if (!number) refuse(spec.name, "'" + std::string(text) + "' is not a whole number.");
        if (*number < spec.min || *number > spec.max)
            refuse(spec.name, std::to_string(*number) + " is outside " + std::to_string(spec.min) + " to " +
                                  std::to_string(spec.max) + ".");
        value.number = *number;
    } else if (spec.argument == Argument::choice) {
        if (!isListed(spec.choices, text))
            refuse(spec.name, "'" + std::string(text) + "' is not one of " + std::string(spec.choices) + ".");
        if (isListed(spec.refused, text))
            refuse(spec.name, "'" + std::string(text) + "' is not supported. " + std::string(spec.instead));
    }
    value.text = text;
}

Options::Value* Options::spelled(std::string_view argument) {
    // Only the long form is forgiving; -H and -h stay different words.
    const bool isLong = argument.starts_with("--");
    const std::string wanted = isLong ? plain(argument) : std::string();
    const auto it = std::find_if(values_.begin(), values_.end(), [&](const Value& v) {
        return v.spec->name == argument || (isLong && !wanted.empty() && plain(v.spec->name) == wanted);
    });
    return it == values_.end() ? nullptr : &*it;
}

// The option that a misspelt word is most likely to mean, as a sentence; empty when none is near.
std::string Options::nearest(std::string_view argument) const {
    const std::string wanted = plain(argument.substr(0, argument.find('=')));
    std::string_view best;
    // One mistake in three letters, three at most: beyond that a suggestion is a guess.
    std::size_t least = 1 + std::min<std::size_t>(3, wanted.size() / 3);
    for (const Value& value : values_) {
        const std::size_t d = distance(wanted, plain(value.spec->name));
        if (d >= least) continue;
        least = d;
        best = value.spec->name;
    }
    return best.empty() ? std::string() : ". Did you mean " + std::string(best) + "?";
}

void Options::parse(std::span<const std::string_view> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "-?" || argument == "-help" || argument == "--help") {
            helpWanted_ = true;
            return;
        }
        if (argument == "--version" || argument == "-version") {
            versionWanted_ = true;
            return;
        }
        Value* const it = spelled(argument);
        if (it == nullptr)
            throw OptionError("Config Error: Unrecognized option: " + std::string(argument) + nearest(argument) +
                              hint(tool_));
        const OptionSpec& spec = *it->spec;
        if (spec.argument != Argument::none && i + 1 == arguments.size())
            throw OptionError("Config error: " + std::string(argument) + " missing argument." + hint(tool_));
        // Without this, "-h -p 14002" would connect to a host named "-p".
        if (spec.argument != Argument::none && spelled(arguments[i + 1]) != nullptr)
            throw OptionError("Config error: " + std::string(argument) + " missing argument: the next word, " +
                              std::string(arguments[i + 1]) + ", is an option." + hint(tool_));
        if (spec.support == Support::refused) refuse(spec.name, "not supported. " + std::string(spec.instead));
        it->given = true;
        if (spec.argument != Argument::none) assign(*it, arguments[++i]);
    }
}

void Options::store(const SettingsView& settings) const {
    for (const Value& value : values_) {
        const OptionSpec& spec = *value.spec;
        if (spec.store != nullptr)
            spec.store(settings, {value.text, value.number, value.given, spec.argument == Argument::none});
    }
}

void Options::showAs(std::string_view name, std::string text) {
    const_cast<Value&>(find(name)).shown = std::move(text);
}

std::string Options::testInputs() const {
    std::vector<const Value*> shown;
    for (const Value& value : values_) {
        const bool wanted = value.spec->show != Show::no && (value.spec->show != Show::ifGiven || value.given);
        if (wanted) shown.push_back(&value);
    }
    std::sort(shown.begin(), shown.end(), [this](const Value* a, const Value* b) {  // equal ones as in the table
        return std::pair(a->spec->position, a - values_.data()) < std::pair(b->spec->position, b - values_.data());
    });
    std::string out;
    for (const Value* value : shown) {
        const OptionSpec& spec = *value->spec;
        std::string text = value->text;
        const bool isFlag = spec.argument == Argument::none;
        if (spec.show == Show::yesNo || isFlag) text = (isFlag ? value->given : value->number != 0) ? "Yes" : "No";
        else if (text.empty()) text = spec.unset;
        if (!value->shown.empty()) text = value->shown;
        appendf(out, "%*.*s: %s\n", static_cast<int>(kLabelWidth), static_cast<int>(spec.label.size()),
                spec.label.data(), text.c_str());
    }
    return out;
}

std::string Options::listing() const {
    const auto textOf = [](const Value& value) {
        return value.spec->argument == Argument::none ? std::string(value.given ? "on" : "off") : value.text;
    };
    std::size_t nameWidth = 0, valueWidth = 0;
    for (const Value& value : values_) {
        nameWidth = std::max(nameWidth, value.spec->name.size());
        valueWidth = std::max(valueWidth, textOf(value).size());
    }
    std::string out;
    for (const Value& value : values_) {
        // What is refused has no value that could be in effect.
        if (value.spec->support == Support::refused) continue;
        const char* const origin = value.given ? "command line" : "default";
        appendf(out, "  %-*.*s  %-*s  %s%s\n", static_cast<int>(nameWidth), static_cast<int>(value.spec->name.size()),
                value.spec->name.data(), static_cast<int>(valueWidth), textOf(value).c_str(), origin,
                value.spec->support == Support::noEffect ? "; no effect" : "");
    }
    return out;
}

std::string Options::toldInstead() const {
    if (helpWanted_) return usage();
    if (versionWanted_) return std::string(toolName(tool_)) + " (Emissary) " + std::string(toolVersion()) + "\n";
    return {};
}

std::string Options::usage() const {
    std::string out;
    appendf(out, "Usage: %.*s [options]\n", static_cast<int>(toolName(tool_).size()), toolName(tool_).data());
    for (const Value& value : values_) {
        const OptionSpec& spec = *value.spec;
        std::string left = std::string(spec.name);
        if (spec.argument != Argument::none) left.append(1, ' ').append(argumentName(spec));
        appendf(out, "  %-38s %.*s", left.c_str(), static_cast<int>(spec.help.size()), spec.help.data());
        if (!spec.choices.empty()) appendf(out, " (%.*s)", static_cast<int>(spec.choices.size()), spec.choices.data());
        if (!spec.defaultText.empty())
            appendf(out, " [%.*s]", static_cast<int>(spec.defaultText.size()), spec.defaultText.data());
        if (spec.support == Support::refused) out += " (not supported)";
        if (spec.support == Support::noEffect) out += " (no effect)";
        out += '\n';
    }
    out += "  -?                                     This text\n"
           "  --version                              Name and version of the tool\n"
           "Every option may also be spelled like --item-count.\n";
    return out;
}

void checkPort(const Options& options, std::string_view name, PortUse use) {
    if (!options.given(name)) return;
    const std::string& port = options.text(name);
    unsigned number = 0;
    const auto parsed = std::from_chars(port.data(), port.data() + port.size(), number);
    const bool isNumber = !port.empty() && parsed.ptr == port.data() + port.size();
    // To listen on port 0 asks the kernel for a free one; nobody can connect to it.
    const unsigned least = use == PortUse::connect ? 1 : 0;
    if (isNumber ? parsed.ec == std::errc() && number >= least && number <= 65535
                 // EMA takes names of services, such as those of /etc/services, wherever it takes a port.
                 : getservbyname(port.c_str(), "tcp") != nullptr)
        return;
    throw OptionError("Config Error: " + std::string(name) + ": '" + port + "' is not a port: a number from " +
                      std::to_string(least) + " to 65535, or a known service.");
}

std::string optionsMarkdown() {
    std::string out = "# Options of the performance tools\n\n"
                      "Made from the option table in `PerfTools/Common/OptionTable.cpp` by `generate_options_doc`; "
                      "do not edit.\n\n"
                      "An option is `-name` or `-name value`; options come in any order and the last occurrence wins. "
                      "`--item-count` is\nanother spelling of `-itemCount`, and so for every option. "
                      "`-?` prints them, `--version` the version.\nA list of processors has one value per thread, "
                      "separated by commas: `-1` "
                      "(no binding), a logical processor number, or\n`P:x C:y T:z` (package, core, hardware thread; "
                      "a part that is left out or `#` means all).\n";
    for (const Tool tool : {Tool::consumer, Tool::provider, Tool::niProvider, Tool::transport}) {
        out +=
            "\n## " + std::string(toolName(tool)) + "\n\n| Option | Value | Default | Meaning |\n|---|---|---|---|\n";
        for (const OptionSpec& spec : optionTable()) {
            if ((spec.tools & static_cast<std::uint8_t>(tool)) == 0) continue;
            appendf(out, "| `%s` | %s | ", std::string(spec.name).c_str(), valueText(spec).c_str());
            if (spec.defaultText.empty()) out += "–";
            else appendf(out, "`%s`", std::string(spec.defaultText).c_str());
            appendf(out, " | %s", std::string(spec.help).c_str());
            if (spec.support == Support::refused) out += " *(not supported)*";
            if (spec.support == Support::noEffect) out += " *(accepted, no effect)*";
            if (!spec.refused.empty()) appendf(out, " *(not supported: %s)*", spaced(spec.refused).c_str());
            out += " |\n";
        }
    }
    return out;
}

}  // namespace emissary::perf
