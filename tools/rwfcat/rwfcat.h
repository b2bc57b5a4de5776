// What rwfcat does, apart from its command line: input of any kind to one line or text for each message.
#pragma once

#include "TcpCapture.h"
#include "vector_json.h"

#include "eta/dictionary/Dictionary.h"

#include <functional>
#include <string>
#include <string_view>

namespace emissary::rwfcat {

enum class Input : std::uint8_t { automatic, hex, streamHex, raw, capture, trace };
enum class Schema : std::uint8_t { vectors, text };

struct Options {
    Input input = Input::automatic;
    Schema schema = Schema::vectors;
    eta::codec::DataType type = eta::codec::DataType::Msg;  ///< of hex lines
    CaptureOptions capture;
    const eta::dictionary::Dictionary* dictionary = nullptr;  ///< borrowed
    /// Prints a message as text, for Schema::text; set by the program, which has the layer that can.
    std::function<std::string(eta::Bytes message)> textOf;
};

struct Outputs {
    std::function<void(std::string_view)> out;    ///< results, whole lines
    std::function<void(std::string_view)> notes;  ///< one line at a time, without its end: faults and what was skipped
};

struct Counts {
    std::size_t messages = 0;  ///< good ones
    std::size_t faults = 0;    ///< bad bytes
};

/// Reads all of `content`; `name` stands for it in notes.
[[nodiscard]] Counts print(std::string_view content, std::string_view name, const Options& options,
                           const Outputs& outputs);

/// Capture and trace by the first bytes; hex for every other text, so that a slip in it is named; raw for the beginning
/// of an HTTP connection and when there are control characters.
[[nodiscard]] Input guessInput(std::string_view content) noexcept;

}  // namespace emissary::rwfcat
