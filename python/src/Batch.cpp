// The classes Batch and Message.
#include "Batch.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>

namespace emissary::python {
namespace {

const char* const kTypes[] = {"", "image", "update", "status", "generic", "ack", "post", "request"};

/// Python's Batch.
struct Batch {
    SharedRows rows;
};

/// A name that a peer has chosen, which may be no UTF-8.
nb::object shown(const std::string& name) {
    return textOf(name.data(), name.size());
}

const emi_column* find(const Rows& rows, const char* name) {
    for (const auto& column : rows.columns)
        if (std::strcmp(column.name, name) == 0) return &column;
    return nullptr;
}

nb::object get(const Message& m, const char* name, nb::object otherwise) {
    const auto* column = find(*m.rows, name);
    return column != nullptr && isSet(column->present, m.row) ? valueOf(*column, m.row, m.rows->choice) : otherwise;
}

nb::object item(const Message& m, const char* name) {
    const auto* column = find(*m.rows, name);
    if (column == nullptr || !isSet(column->present, m.row)) throw nb::key_error(name);
    return valueOf(*column, m.row, m.rows->choice);
}

/// The payload as emissary.data has it: a dictionary for a field list.
nb::object dataOf(const Message& m) {
    nb::list nodes = nodesOf(*m.rows, m.row);
    if (nodes.size() != 0) return nb::module_::import_("emissary.data").attr("load")(nodes);
    auto fields = fieldsOf(*m.rows, m.row);
    if (fields.size() == 0) return nb::none();
    return nb::module_::import_("emissary.data").attr("FieldList")(fields);
}

/// A member of the header that may not be there.
template <std::uint32_t emi_header::*member>
auto optionalMember(std::uint32_t bit) {
    return [bit](const Message& m) -> nb::object {
        const auto h = m.rows->header(m.row);
        if ((h.has & bit) == 0) return nb::none();
        return nb::int_(h.*member);
    };
}

/// The status code of what has a state.
nb::object codeOf(const Message& m) {
    const auto type = m.rows->view.type[m.row];
    if (type != EMI_REFRESH && type != EMI_STATUS) return nb::none();
    return nb::int_(m.rows->header(m.row).code);
}

nb::object userOf(const Message& m) {
    const auto h = m.rows->header(m.row);
    if ((h.has & EMI_HAS_USER) == 0) return nb::none();
    return nb::make_tuple(h.user_id, h.user_address);
}

nb::list messages(const Batch& batch) {
    nb::list all;
    for (std::size_t row = 0; row < batch.rows->view.rows; ++row)
        all.append(nb::cast(Message{batch.rows, row}));
    return all;
}

nb::list dicts(const Batch& batch) {
    nb::list all;
    for (std::size_t row = 0; row < batch.rows->view.rows; ++row)
        all.append(fieldsOf(*batch.rows, row));
    return all;
}

/// Numbers of the items whose image or end is in the batch.
nb::set answered(const Batch& batch) {
    nb::set items;
    const auto& view = batch.rows->view;
    for (std::size_t row = 0; row < view.rows; ++row)
        if (view.type[row] == EMI_REFRESH || view.state[row] >= EMI_CLOSED) items.add(nb::int_(view.item[row]));
    return items;
}

template <class T>
nb::object view(const SharedRows& rows, const T* data) {
    auto* owner = new SharedRows(rows);
    const nb::capsule keeps(owner, [](void* p) noexcept { delete static_cast<SharedRows*>(p); });
    static constexpr T kNone{};
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data != nullptr ? data : &kNone, {rows->view.rows}, keeps));
}

/// An array for a column without any value in this batch.
template <class T>
nb::object zeros(std::size_t count) {
    auto* owner = new std::vector<T>(count + 1);
    const nb::capsule keeps(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(owner->data(), {count}, keeps));
}

/// The numbers of a column; of a Real its doubles.
nb::object numpy(const Batch& batch, const std::string& name) {
    const auto& rows = batch.rows;
    if (name == "item") return view(rows, rows->view.item);
    if (name == "time") return view(rows, rows->view.time);
    if (name == "type") return view(rows, rows->view.type);
    if (name == "state") return view(rows, rows->view.state);
    const auto* column = find(*rows, name.c_str());
    if (column == nullptr) throw nb::key_error(name.c_str());
    if (column->f64 != nullptr) return view(rows, column->f64);
    if (column->i64 != nullptr) return view(rows, column->i64);
    if (column->kind == EMI_REAL || column->kind == EMI_DOUBLE) return zeros<double>(rows->view.rows);
    if (column->kind != EMI_NOTHING && column->kind != EMI_TEXT && column->kind != EMI_BYTES)
        return zeros<std::int64_t>(rows->view.rows);
    throw nb::type_error(("field " + name + " has no numbers in this batch").c_str());
}

nb::object validity(const Batch& batch, const std::string& name) {
    const auto* column = find(*batch.rows, name.c_str());
    if (column == nullptr) throw nb::key_error(name.c_str());
    nb::list bits;
    for (std::size_t row = 0; row < batch.rows->view.rows; ++row)
        bits.append(nb::bool_(isSet(column->validity, row)));
    return bits;
}

std::vector<SharedRows> rowsOf(const std::vector<Batch>& batches) {
    std::vector<SharedRows> all;
    for (const auto& batch : batches)
        all.push_back(batch.rows);
    return all;
}

}  // namespace

const char* stateName(int state) {
    static constexpr const char* kNames[] = {"pending", "current", "stale", "complete", "closed", "closed_recover", "redirected"};
    return kNames[state];
}

Rows::Rows(emi_batch* filled) : batch(filled) {
    view.size = sizeof view;
    emi_batch_view(batch, &view, nullptr);
    columns.resize(view.columns);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i].size = sizeof columns[i];
        emi_batch_column(batch, i, &columns[i], nullptr);
    }
}

void defineBatch(nb::module_& module) {
    nb::class_<Message>(module, "Message")
        .def_prop_ro("name", [](const Message& m) { return shown(m.rows->name(m.row)); })
        .def_prop_ro("service",
                     [](const Message& m) {
                         const auto h = m.rows->header(m.row);
                         return textOf(h.service, std::strlen(h.service));
                     })
        .def_prop_ro("item", [](const Message& m) { return m.rows->view.item[m.row]; })
        .def_prop_ro("type", [](const Message& m) { return kTypes[m.rows->view.type[m.row]]; })
        .def_prop_ro("state", [](const Message& m) { return stateName(m.rows->view.state[m.row]); })
        .def_prop_ro("stale", [](const Message& m) {
            const auto state = m.rows->view.state[m.row];
            return state != EMI_CURRENT && state != EMI_COMPLETE;
        })
        .def_prop_ro("time", [](const Message& m) { return m.rows->view.time[m.row]; })
        .def_prop_ro("fields", [](const Message& m) { return fieldsOf(*m.rows, m.row); })
        .def_prop_ro("data", &dataOf)
        .def_prop_ro("domain", [](const Message& m) { return m.rows->header(m.row).domain; })
        .def_prop_ro("complete", [](const Message& m) { return m.rows->header(m.row).complete != 0; })
        .def_prop_ro("id", optionalMember<&emi_header::id>(EMI_HAS_ID))
        .def_prop_ro("sequence", optionalMember<&emi_header::sequence>(EMI_HAS_SEQUENCE))
        .def_prop_ro("user", &userOf)
        .def_prop_ro("rights", [](const Message& m) { return m.rows->header(m.row).rights; })
        .def_prop_ro("wants_ack", [](const Message& m) { return m.rows->header(m.row).ack != 0; })
        .def_prop_ro("nack", [](const Message& m) { return m.rows->header(m.row).nack; })
        .def_prop_ro("code", &codeOf)
        .def_prop_ro("text", [](const Message& m) {
            const auto h = m.rows->header(m.row);
            return textOf(h.text, std::strlen(h.text));
        })
        .def("__getitem__", &item, nb::arg("field"))
        .def("__contains__", [](const Message& m, const char* name) {
            const auto* column = find(*m.rows, name);
            return column != nullptr && isSet(column->present, m.row);
        })
        .def("get", &get, nb::arg("field"), nb::arg("default") = nb::none())
        .def("__repr__", [](const Message& m) {
            return nb::str("<{} {} {} {!r}>").attr("format")(kTypes[m.rows->view.type[m.row]], shown(m.rows->name(m.row)),
                                                             stateName(m.rows->view.state[m.row]), fieldsOf(*m.rows, m.row));
        });
    nb::class_<Batch>(module, "Batch")
        .def("__len__", [](const Batch& b) { return b.rows->view.rows; })
        .def_prop_ro("columns", [](const Batch& b) {
            nb::list names;
            for (const auto& column : b.rows->columns)
                names.append(textOf(column.name, std::strlen(column.name)));
            return names;
        })
        .def_prop_ro("unreadable", [](const Batch& b) { return b.rows->view.unreadable; })
        .def("messages", &messages)
        .def("dicts", &dicts)
        .def("answered", &answered)
        .def("__iter__", [](const Batch& b) { return nb::iter(messages(b)); })
        .def("numpy", &numpy, nb::arg("field"))
        .def("validity", &validity, nb::arg("field"))
        .def("__arrow_c_schema__", [](const Batch& b) { return arrowSchema({b.rows}); })
        .def("__arrow_c_array__", [](const Batch& b, const nb::object&) { return arrowArray(b.rows); },
             nb::arg("requested_schema") = nb::none())
        .def("__arrow_c_stream__", [](const Batch& b, const nb::object&) { return arrowStream({b.rows}); },
             nb::arg("requested_schema") = nb::none());
    module.def("arrow_stream", [](const std::vector<Batch>& batches) { return arrowStream(rowsOf(batches)); });
    module.def("arrow_schema", [](const std::vector<Batch>& batches) { return arrowSchema(rowsOf(batches)); });
}

nb::object makeBatch(SharedRows rows) {
    return nb::cast(Batch{std::move(rows)});
}

}  // namespace emissary::python
