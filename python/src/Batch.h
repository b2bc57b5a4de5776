// A batch of the C interface as Python sees it: messages, dictionaries, numpy arrays and Arrow arrays.
#pragma once

#include "emissary.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace emissary::python {

namespace nb = nanobind;

/// How numbers of type Real become Python objects.
enum class RealAs { decimal, number, pair };
/// How enumerated values become Python objects: the number, the dictionary's text, or an emissary.data.Enum, which has
/// both.
enum class EnumAs { value, display, both };
struct Choice {
    RealAs real = RealAs::decimal;
    EnumAs enums = EnumAs::value;
};
/// By their names in connect(); ValueError for others.
Choice choiceOf(const std::string& real, const std::string& enums);

/// The names of a consumer's items, by number, in chunks: a batch keeps those that its rows name, however long it
/// lives, and a chunk whose items are all closed lives as long as such a batch. Any thread. The names that a batch
/// reads are never written again, so that readers, Arrow's without the interpreter lock among them, need no lock.
class Names {
public:
    static constexpr std::uint64_t kChunk = 1024;
    struct Chunk {
        std::array<std::string, kChunk> names;
        std::uint64_t given = 0, closed = 0;
    };
    using Chunks = std::vector<std::shared_ptr<const Chunk>>;

    void set(std::uint64_t item, const std::string& name) {
        const std::lock_guard hold(lock_);
        auto& chunk = chunks_[(item - 1) / kChunk];
        if (!chunk) chunk = std::make_shared<Chunk>();
        chunk->names[(item - 1) % kChunk] = name;
        ++chunk->given;
        last_ = std::max(last_, item);
    }
    /// The program has closed it.
    void closed(std::uint64_t item) {
        const std::lock_guard hold(lock_);
        const auto at = chunks_.find((item - 1) / kChunk);
        if (at == chunks_.end() || ++at->second->closed < at->second->given) return;
        // More items of this chunk may come while its numbers are not all given.
        if (last_ / kChunk > at->first) chunks_.erase(at);
    }
    /// The chunks that these rows name, from chunk `first` on; null between them.
    [[nodiscard]] Chunks of(const std::uint64_t* items, std::size_t rows, std::uint64_t& first) const {
        std::uint64_t least = UINT64_MAX, most = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            if (items[row] == 0) continue;  // the login
            least = std::min(least, items[row]);
            most = std::max(most, items[row]);
        }
        Chunks found;
        if (most == 0) return found;
        const std::lock_guard hold(lock_);
        first = (least - 1) / kChunk;
        found.resize((most - 1) / kChunk - first + 1);
        for (std::size_t row = 0; row < rows; ++row) {
            if (items[row] == 0) continue;
            auto& chunk = found[(items[row] - 1) / kChunk - first];
            if (chunk != nullptr) continue;
            if (const auto at = chunks_.find((items[row] - 1) / kChunk); at != chunks_.end()) chunk = at->second;
        }
        return found;
    }

private:
    mutable std::mutex lock_;
    std::unordered_map<std::uint64_t, std::shared_ptr<Chunk>> chunks_;  // under lock_, but for names that were set
    std::uint64_t last_ = 0;
};

/// The arrays of a batch. Shared by the batch, its messages and what Arrow was given; freed by the last.
struct Rows {
    explicit Rows(emi_batch* filled);
    ~Rows() { emi_batch_free(batch); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    /// Of what has no item: the name in the message.
    [[nodiscard]] std::string name(std::size_t row) const {
        const std::uint64_t item = view.item[row];
        if (item == 0 || !ofConsumer) return header(row).name;
        const std::uint64_t chunk = (item - 1) / Names::kChunk - firstChunk;
        return chunk < chunks.size() && chunks[chunk] ? chunks[chunk]->names[(item - 1) % Names::kChunk]
                                                      : std::string();
    }
    /// Of a consumer; once, when the batch is filled.
    void take(const Names& names) {
        ofConsumer = true;
        chunks = names.of(view.item, view.rows, firstChunk);
    }
    [[nodiscard]] emi_header header(std::size_t row) const {
        emi_header h{};
        h.size = sizeof h;
        emi_batch_header(batch, row, &h, nullptr);
        return h;
    }

    emi_batch* batch;
    emi_view view{};
    std::vector<emi_column> columns;
    std::vector<PyObject*>
        keys;              ///< names of the columns as Python strings, which live for ever; made for the first message
    nb::ft_mutex making;   ///< of the keys; nothing where there is an interpreter lock
    Names::Chunks chunks;  ///< of the names of its items
    std::uint64_t firstChunk = 0;
    bool ofConsumer = false;  ///< its items have names here; those of a provider stand in their messages
    Choice choice;
};
using SharedRows = std::shared_ptr<Rows>;

[[nodiscard]] inline bool isSet(const std::uint8_t* bits, std::size_t row) {
    return ((bits[row / 8] >> (row % 8)) & 1) != 0;
}

/// A value of data as a Python object; None when it is blank.
nb::object valueOf(const emi_value& value, const Choice& choice);
/// A payload for emissary.data.load(): a list of (depth, role, action, kind, fid, name, number, value).
nb::list nodesOf(const Rows& rows, std::size_t row);
/// UTF-8, with signs for what is not.
[[nodiscard]] inline nb::object textOf(const char* text, std::size_t length) {
    return nb::steal(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(length), "replace"));
}

/// What emissary.data.dump() makes of a payload: depth, role, action, fid, kind, i64, hint, f64, name, bytes, blank.
using Node =
    std::tuple<int, int, int, int, int, std::int64_t, int, double, std::optional<std::string>, nb::bytes, bool>;
/// The values borrow from the nodes.
std::vector<emi_value> valuesOf(const std::vector<Node>& nodes);

/// The value of a field as a Python object; None when it is blank.
nb::object valueOf(const emi_column& column, std::size_t row, const Choice& choice);
/// The fields that the message of this row has.
nb::dict fieldsOf(Rows& rows, std::size_t row);

/// One message: a row of a batch. Values are made when they are asked for.
struct Message {
    SharedRows rows;
    std::size_t row;
};

/// Capsules of the Arrow PyCapsule interface. Batches of one stream may differ in what they have seen of a column.
nb::object arrowSchema(const std::vector<SharedRows>& batches);
nb::tuple arrowArray(const SharedRows& batch);
nb::object arrowStream(const std::vector<SharedRows>& batches);

/// A Python Batch of these rows.
nb::object makeBatch(SharedRows rows);
void defineBatch(nb::module_& module);
void defineConsumer(nb::module_& module);
void defineProvider(nb::module_& module);

/// What a call of the C interface fills in.
[[nodiscard]] inline emi_error noError() {
    emi_error error{};
    error.size = sizeof error;
    return error;
}

/// "current" for EMI_CURRENT, and so on.
[[nodiscard]] const char* stateName(int state);

/// Raises the Python exception of a failure of the C interface.
[[noreturn]] void raise(int code, const char* text);

}  // namespace emissary::python
