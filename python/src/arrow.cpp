// Batches through the Arrow C data interface: arrays are handed over as they are, and keep their batch alive.
#include "Batch.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

// The structures of the specification (https://arrow.apache.org/docs/format/CDataInterface.html), whose layout is fixed.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags, n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};
struct ArrowArray {
    std::int64_t length, null_count, offset, n_buffers, n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};
struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

namespace emissary::python {
namespace {

/// A column of the table that is handed over.
struct Field {
    std::string name;
    emi_kind kind = EMI_NOTHING;
    const char* format = "n";
    std::size_t column = 0;  ///< of the batch
    [[nodiscard]] bool isText() const { return *format == 'u' || *format == 'z'; }
};
using Fields = std::vector<Field>;

const char* formatOf(emi_kind kind) {
    switch (kind) {
    case EMI_INT:
    case EMI_ENUM:
        return "l";
    case EMI_UINT:
        return "L";
    case EMI_REAL:
    case EMI_DOUBLE:
        return "g";
    case EMI_DATE:
        return "tdD";
    case EMI_TIME:
        return "ttn";
    case EMI_DATETIME:
        return "tsn:UTC";
    case EMI_TEXT:
        return "u";
    case EMI_BYTES:
        return "z";
    default:
        break;
    }
    return "n";
}

/// What the columns of these batches are; a kind that only one of them has seen is that of all.
Fields fieldsOf(const std::vector<SharedRows>& batches) {
    Fields fields{{"item", EMI_TEXT, "u"}, {"time", EMI_DATETIME, "tsn:UTC"}, {"type", EMI_UINT, "C"}, {"state", EMI_UINT, "C"}};
    Fields seen;
    const auto enums = batches.empty() ? EnumAs::value : batches.front()->choice.enums;
    for (const auto& batch : batches) {
        // Only batches of sessions that asked for texts have them.
        if (batch->choice.enums != enums)
            throw nb::value_error("the batches come from sessions with different `enum`: connect() them with the same one, "
                                  "or make a table of each");
        for (std::size_t i = 0; i < batch->columns.size(); ++i) {
            const auto& column = batch->columns[i];
            if (i >= seen.size()) seen.push_back({column.name, EMI_NOTHING, "n", i});
            auto& field = seen[i];
            if (field.kind != EMI_NOTHING) continue;
            field.kind = static_cast<emi_kind>(column.kind);
            field.format = formatOf(field.kind);
        }
    }
    // Of an enumerated field the numbers, the texts, or a column of each.
    for (auto& field : seen) {
        const bool enumerated = field.kind == EMI_ENUM && enums != EnumAs::value;
        if (!enumerated || enums == EnumAs::both) fields.push_back(field);
        if (!enumerated) continue;
        field.format = "u";
        if (enums == EnumAs::both) field.name += ".display";
        fields.push_back(field);
    }
    return fields;
}

struct SchemaOwner {
    Fields fields;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
};

void nothingToRelease(ArrowSchema* schema) {
    schema->release = nullptr;
}

void fill(ArrowSchema& schema, Fields fields) {
    constexpr std::int64_t kNullable = 2;
    auto* owner = new SchemaOwner{std::move(fields), {}, {}};
    owner->children.resize(owner->fields.size());
    for (std::size_t i = 0; i < owner->fields.size(); ++i) {
        owner->children[i] = {owner->fields[i].format, owner->fields[i].name.c_str(), nullptr, kNullable, 0, nullptr, nullptr,
                              nothingToRelease, nullptr};
        owner->pointers.push_back(&owner->children[i]);
    }
    schema = {"+s", "", nullptr, 0, static_cast<std::int64_t>(owner->fields.size()), owner->pointers.data(), nullptr,
              [](ArrowSchema* s) {
                  auto* mine = static_cast<SchemaOwner*>(s->private_data);
                  for (auto& child : mine->children)
                      if (child.release != nullptr) child.release(&child);
                  delete mine;
                  s->release = nullptr;
              },
              owner};
}

/// What one array of the table keeps: its batch, and buffers that were made for it. A consumer of the interface may move a child
/// out of its parent, so each array owns itself.
struct ArrayOwner {
    SharedRows rows;
    std::vector<const void*> buffers;
    std::vector<std::int32_t> numbers;
    std::string bytes;
    std::vector<std::uint8_t> zeros;
    std::vector<ArrowArray*> children;
};

void release(ArrowArray* array) {
    auto* owner = static_cast<ArrayOwner*>(array->private_data);
    for (auto* child : owner->children) {
        if (child->release != nullptr) child->release(child);
        delete child;
    }
    delete owner;
    array->release = nullptr;
}

void finish(ArrowArray& array, ArrayOwner* owner, std::size_t length, std::size_t nulls) {
    array = {static_cast<std::int64_t>(length), static_cast<std::int64_t>(nulls), 0,
             static_cast<std::int64_t>(owner->buffers.size()), static_cast<std::int64_t>(owner->children.size()),
             owner->buffers.data(), owner->children.empty() ? nullptr : owner->children.data(), nullptr, release, owner};
}

/// The bytes of one character, 0 where there is no UTF-8 (RFC 3629).
std::size_t characterAt(const unsigned char* at, std::size_t left) {
    const auto follows = [&](std::size_t i, unsigned least = 0x80, unsigned most = 0xBF) {
        return i < left && at[i] >= least && at[i] <= most;
    };
    if (at[0] < 0x80) return 1;
    if (at[0] >= 0xC2 && at[0] <= 0xDF) return follows(1) ? 2 : 0;
    if (at[0] >= 0xE0 && at[0] <= 0xEF)
        return follows(1, at[0] == 0xE0 ? 0xA0 : 0x80, at[0] == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
    if (at[0] >= 0xF0 && at[0] <= 0xF4)
        return follows(1, at[0] == 0xF0 ? 0x90 : 0x80, at[0] == 0xF4 ? 0x8F : 0xBF) && follows(2) && follows(3) ? 4 : 0;
    return 0;
}

/// The bytes in front that are ASCII for certain, eight at a time: up to seven more may follow.
std::size_t asciiAt(const unsigned char* at, std::size_t left) {
    std::size_t i = 0;
    for (std::uint64_t eight = 0; left - i >= sizeof eight; i += sizeof eight) {
        std::memcpy(&eight, at + i, sizeof eight);
        if ((eight & 0x8080808080808080U) != 0) break;
    }
    return i;
}

/// Appends a text as UTF-8. Readers of Arrow trust that columns of text are; peers send what they like. Each byte that
/// belongs to no character becomes U+FFFD.
void append(std::string& bytes, const char* text, std::size_t length) {
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    for (std::size_t i = 0; i < length;) {
        const std::size_t n = characterAt(at + i, length - i);
        if (n == 0) bytes += "\xEF\xBF\xBD";
        else bytes.append(text + i, n);
        i += std::max<std::size_t>(n, 1);
    }
}

bool isText(const char* text, std::size_t length) {
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    for (std::size_t i = asciiAt(at, length); i < length; i += asciiAt(at + i, length - i)) {
        const std::size_t n = characterAt(at + i, length - i);
        if (n == 0) return false;
        i += n;
    }
    return true;
}

/// Fills in the buffers of texts: those of the column, or a copy when one of its texts is no UTF-8.
void fillTexts(ArrayOwner& owner, const void* bits, const emi_column& column, std::size_t count) {
    bool good = true;
    for (std::size_t row = 0; row < count && good; ++row)
        good = isText(column.bytes + column.offsets[row], static_cast<std::size_t>(column.offsets[row + 1] - column.offsets[row]));
    if (good) {
        owner.buffers = {bits, column.offsets, column.bytes};
        return;
    }
    for (std::size_t row = 0; row < count; ++row) {
        owner.numbers.push_back(static_cast<std::int32_t>(owner.bytes.size()));
        append(owner.bytes, column.bytes + column.offsets[row], static_cast<std::size_t>(column.offsets[row + 1] - column.offsets[row]));
    }
    owner.numbers.push_back(static_cast<std::int32_t>(owner.bytes.size()));
    owner.buffers = {bits, owner.numbers.data(), owner.bytes.data()};
}

void fillNames(ArrowArray& array, const SharedRows& rows) {
    auto* owner = new ArrayOwner{rows, {}, {}, {}, {}, {}};
    for (std::size_t row = 0; row < rows->view.rows; ++row) {
        owner->numbers.push_back(static_cast<std::int32_t>(owner->bytes.size()));
        const std::string name = rows->name(row);
        append(owner->bytes, name.data(), name.size());
    }
    owner->numbers.push_back(static_cast<std::int32_t>(owner->bytes.size()));
    owner->buffers = {nullptr, owner->numbers.data(), owner->bytes.data()};
    finish(array, owner, rows->view.rows, 0);
}

void fillOwn(ArrowArray& array, const SharedRows& rows, const void* data) {
    auto* owner = new ArrayOwner{rows, {nullptr, data}, {}, {}, {}, {}};
    finish(array, owner, rows->view.rows, 0);
}

/// A column that this batch has no value of.
void fillNulls(ArrowArray& array, const SharedRows& rows, const Field& field) {
    auto* owner = new ArrayOwner{rows, {}, {}, {}, {}, {}};
    const std::size_t count = rows->view.rows;
    owner->zeros.resize(16 + 8 * (count + 1));
    if (field.isText()) owner->buffers = {owner->zeros.data(), owner->zeros.data(), owner->zeros.data()};
    else if (field.kind != EMI_NOTHING) owner->buffers = {owner->zeros.data(), owner->zeros.data()};
    finish(array, owner, count, count);
}

void fillColumn(ArrowArray& array, const SharedRows& rows, const Field& field, const emi_column& column) {
    if (column.nulls == rows->view.rows || column.kind != field.kind) return fillNulls(array, rows, field);
    auto* owner = new ArrayOwner{rows, {}, {}, {}, {}, {}};
    const std::size_t count = rows->view.rows;
    const void* bits = column.nulls == 0 ? nullptr : column.validity;
    if (*field.format == 'u') fillTexts(*owner, bits, column, count);
    else if (field.isText()) owner->buffers = {bits, column.offsets, column.bytes};
    else if (field.kind == EMI_DATE) {  // 32 bits there
        for (std::size_t row = 0; row < count; ++row)
            owner->numbers.push_back(static_cast<std::int32_t>(column.i64[row]));
        owner->buffers = {bits, owner->numbers.data()};
    } else if (column.f64 != nullptr) owner->buffers = {bits, column.f64};
    else owner->buffers = {bits, column.i64};
    finish(array, owner, count, column.nulls);
}

void fill(ArrowArray& array, const SharedRows& rows, const Fields& fields) {
    auto* owner = new ArrayOwner{rows, {nullptr}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto* child = new ArrowArray{};
        if (i == 0) fillNames(*child, rows);
        else if (i == 1) fillOwn(*child, rows, rows->view.time);
        else if (i == 2) fillOwn(*child, rows, rows->view.type);
        else if (i == 3) fillOwn(*child, rows, rows->view.state);
        else if (const auto column = fields[i].column; column < rows->columns.size())
            fillColumn(*child, rows, fields[i], rows->columns[column]);
        else fillNulls(*child, rows, fields[i]);
        owner->children.push_back(child);
    }
    finish(array, owner, rows->view.rows, 0);
}

template <class Struct>
nb::object capsule(Struct* made, const char* name) {
    return nb::steal(PyCapsule_New(made, name, [](PyObject* held) {
        auto* mine = static_cast<Struct*>(PyCapsule_GetPointer(held, PyCapsule_GetName(held)));
        if (mine == nullptr) return;
        if (mine->release != nullptr) mine->release(mine);
        delete mine;
    }));
}

struct StreamOwner {
    std::vector<SharedRows> batches;
    Fields fields;
    std::size_t next = 0;
};

}  // namespace

nb::object arrowSchema(const std::vector<SharedRows>& batches) {
    auto fields = fieldsOf(batches);
    auto* schema = new ArrowSchema{};
    fill(*schema, std::move(fields));
    return capsule(schema, "arrow_schema");
}

nb::tuple arrowArray(const SharedRows& batch) {
    auto* array = new ArrowArray{};
    fill(*array, batch, fieldsOf({batch}));
    return nb::make_tuple(arrowSchema({batch}), capsule(array, "arrow_array"));
}

nb::object arrowStream(const std::vector<SharedRows>& batches) {
    auto fields = fieldsOf(batches);
    auto* stream = new ArrowArrayStream{};
    stream->private_data = new StreamOwner{batches, std::move(fields)};
    stream->get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
        fill(*out, static_cast<StreamOwner*>(s->private_data)->fields);
        return 0;
    };
    stream->get_next = [](ArrowArrayStream* s, ArrowArray* out) {
        auto& owner = *static_cast<StreamOwner*>(s->private_data);
        *out = {};
        if (owner.next < owner.batches.size()) {
            fill(*out, owner.batches[owner.next], owner.fields);
            ++owner.next;
        }
        return 0;
    };
    stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
    stream->release = [](ArrowArrayStream* s) {
        delete static_cast<StreamOwner*>(s->private_data);
        s->release = nullptr;
    };
    return capsule(stream, "arrow_array_stream");
}

}  // namespace emissary::python
