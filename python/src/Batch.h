// A batch of the C interface as Python sees it: messages, dictionaries, numpy arrays and Arrow arrays.
#pragma once

#include "emissary.h"

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::python {

namespace nb = nanobind;

/// How numbers of type Real become Python objects.
enum class RealAs { decimal, number, pair };
RealAs realAs(const std::string& name);

/// The names of a consumer's items, by number - 1. Any thread; Arrow's readers come without the interpreter lock.
class Names {
public:
    void add(std::string name) {
        const std::lock_guard hold(lock_);
        names_.push_back(std::move(name));
    }
    [[nodiscard]] std::string of(std::uint64_t item) const {
        const std::lock_guard hold(lock_);
        return item != 0 && item <= names_.size() ? names_[item - 1] : std::string();
    }

private:
    mutable std::mutex lock_;
    std::deque<std::string> names_;  // under lock_
};

/// The arrays of a batch. Shared by the batch, its messages and what Arrow was given; freed by the last.
struct Rows {
    explicit Rows(emi_batch* filled);
    ~Rows() { emi_batch_free(batch); }
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    [[nodiscard]] std::string name(std::size_t row) const { return names->of(view.item[row]); }

    emi_batch* batch;
    emi_view view{};
    std::vector<emi_column> columns;
    std::vector<PyObject*> keys;  ///< names of the columns as Python strings, which live for ever; made for the first message
    std::shared_ptr<const Names> names;
    RealAs real = RealAs::decimal;
};
using SharedRows = std::shared_ptr<Rows>;

[[nodiscard]] inline bool isSet(const std::uint8_t* bits, std::size_t row) {
    return ((bits[row / 8] >> (row % 8)) & 1) != 0;
}

/// The value of a field as a Python object; None when it is blank.
nb::object valueOf(const emi_column& column, std::size_t row, RealAs real);
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
