// capi/batch: columns: fields are found by id, and each value is written where its row and column meet.
#include "batch/Batch.h"

#include "calls/calls.h"
#include "data/values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>

namespace emissary::capi {

// A place for every id of 16 bits: finding the column of a field is one look, without a hash, for each field of a
// message.
Layout::Layout() : byId_(65'536, kUnknown) {}

void Layout::choose(std::vector<std::string> fields) {
    std::vector<Column> chosen;
    std::vector<std::int16_t> byId(65'536, kUnknown);
    for (auto& field : fields) {
        Column& column = chosen.emplace_back();
        int id = 0;
        const auto [end, failed] = std::from_chars(field.data(), field.data() + field.size(), id);
        if (field.empty()) throw Failure(EMI_E_ARGUMENT, "a field without a name");
        if (failed == std::errc{} && end == field.data() + field.size()) {
            if (id < std::numeric_limits<std::int16_t>::min() || id > std::numeric_limits<std::int16_t>::max() ||
                id == 0)
                throw Failure(EMI_E_ARGUMENT, "field id " + field + " is not one of -32768 to 32767 without 0");
            column.fid = static_cast<std::int16_t>(id);
            byId[static_cast<std::uint16_t>(column.fid)] = static_cast<std::int16_t>(chosen.size() - 1);
        }
        column.name = std::move(field);
        const auto sameName = [&](const Column& other) { return &other != &column && other.name == column.name; };
        if (std::any_of(chosen.begin(), chosen.end(), sameName))
            throw Failure(EMI_E_ARGUMENT, "field " + column.name + " is asked for twice");
    }
    all_ = chosen.empty();
    columns_ = std::move(chosen);
    byId_ = std::move(byId);
}

int Layout::lookUp(const refinitiv::ema::access::FieldEntry& field) {
    const std::string name = field.getName().c_str();
    auto& place = byId_[static_cast<std::uint16_t>(field.getFieldId())];
    if (all_) {
        // Beyond the bound a field has no column. Its place stays unknown, and the field's values are left out of the
        // batch.
        if (columns_.size() >= kMaxColumns) return kNobody;
        columns_.push_back({name.empty() ? std::to_string(field.getFieldId()) : name, field.getFieldId(), EMI_NOTHING});
        return place = static_cast<std::int16_t>(columns_.size() - 1);
    }
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
    if (found == columns_.end()) {
        // Without a dictionary there is no name yet: look again when the field comes again.
        if (!name.empty()) place = kNobody;
        return kNobody;
    }
    found->fid = field.getFieldId();
    return place = static_cast<std::int16_t>(found - columns_.begin());
}

}  // namespace emissary::capi

using emissary::capi::Layout;
using namespace refinitiv::ema::access;

emi_batch::emi_batch(std::size_t rowsExpected) : capacity_(std::clamp<std::size_t>(rowsExpected, 8, 65'536)) {
    item.reserve(capacity_);
    time.reserve(capacity_);
    type.reserve(capacity_);
    state.reserve(capacity_);
    domain.reserve(capacity_);
}

// Vectors of rows and arrays of columns grow together: capacity_ is the one bound of both, so columns need no check of
// their own.
std::size_t emi_batch::addRow(std::uint64_t itemNumber, std::int64_t now, emi_type kind, emi_state quality) {
    if (item.size() == capacity_) grow();
    item.push_back(itemNumber);
    time.push_back(now);
    type.push_back(static_cast<std::uint8_t>(kind));
    state.push_back(static_cast<std::uint8_t>(quality));
    return item.size() - 1;
}

void emi_batch::grow() {
    capacity_ *= 2;
    for (auto& column : columns)
        if (column.ready) prepare(column, column.kind, column.texts);
}

/// Arrays of a column as the kind wants them, for all rows that there is room for. Made when the first message has the
/// field: most fields of images do not come in updates.
void emi_batch::prepare(Column& column, emi_kind kind, bool enumTexts) {
    column.kind = kind;
    column.texts = kind == EMI_TEXT || kind == EMI_BYTES || (kind == EMI_ENUM && enumTexts);
    column.ready = true;
    // Bits are sized by the room, not by the rows: put() then never has to grow them.
    column.validity.resize((capacity_ + 7) / 8);
    column.present.resize((capacity_ + 7) / 8);
    if (kind == EMI_NOTHING) return;
    // One offset more than rows: the last one is the end of the last text, as Arrow wants it.
    if (column.texts) column.offsets.reserve(capacity_ + 1);
    if (kind == EMI_TEXT || kind == EMI_BYTES) return;
    if (kind != EMI_DOUBLE) column.i64.resize(capacity_);
    if (kind == EMI_REAL) column.hint.resize(capacity_);
    if (kind == EMI_REAL || kind == EMI_DOUBLE) column.f64.resize(capacity_);
}

/// Columns that the layout has and this batch does not have yet.
void emi_batch::match(Layout& layout) {
    while (columns.size() < layout.columns().size()) {
        const auto& known = layout.columns()[columns.size()];
        Column& column = columns.emplace_back();
        column.name = known.name;
        column.fid = known.fid;
        column.kind = known.kind;
    }
}

bool emi_batch::addField(Layout& layout, const refinitiv::ema::access::FieldEntry& field) {
    const int index = layout.columnOf(field);
    if (index < 0) return false;
    const auto place = static_cast<std::size_t>(index);
    if (place >= columns.size()) match(layout);
    Column& column = columns[place];
    auto value = emissary::capi::valueOf(field);
    if (layout.enumTexts) emissary::capi::addDisplay(field, value);
    // A container has no array. Its row keeps "present" without "valid", and the caller reads the payload with
    // emi_batch_data().
    const bool container = value.kind == EMI_NOTHING || value.kind > EMI_BYTES;
    if (container) {
        value.kind = EMI_NOTHING;
        value.blank = true;
    }
    // The first value decides the kind of the column, for this batch and for all later ones: callers may bind arrays by
    // type.
    if (column.kind == EMI_NOTHING && value.kind != EMI_NOTHING) {
        layout.columns()[place].kind = value.kind;
        prepare(column, value.kind, layout.enumTexts);
    } else if (!column.ready) prepare(column, column.kind, layout.enumTexts);
    put(column, value);
    return container;
}

std::size_t emi_batch::addColumn(std::string name, emi_kind kind) {
    Column& column = columns.emplace_back();
    column.name = std::move(name);
    prepare(column, kind, false);
    return columns.size() - 1;
}

void emi_batch::put(std::size_t column, const emissary::capi::Value& value) {
    put(columns[column], value);
}

void emi_batch::put(Column& column, const emissary::capi::Value& value) {
    const std::size_t row = item.size() - 1;
    const auto bit = static_cast<std::uint8_t>(1U << (row % 8));
    std::uint8_t& valid = column.validity[row / 8];
    column.present[row / 8] |= bit;
    // A field that comes twice in one message: the first value counts.
    if (value.blank || value.kind != column.kind || (valid & bit) != 0) return;
    if (column.texts) {
        // Offsets have 32 bits, as Arrow's columns of text have. A text beyond them is left out, and its row stays
        // without a value.
        constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
        std::array<char, 20> digits;
        std::string_view text(value.text, value.length);
        // A number that the dictionary has no text for stands for itself.
        if (value.text == nullptr) {
            const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value.i64).ptr;
            text = {digits.data(), static_cast<std::size_t>(end - digits.data())};
        }
        if (text.size() > kMost - column.bytes.size()) return;
        // Rows without a text since the last one begin and end where this text begins: they have length 0.
        column.offsets.resize(row + 1, static_cast<std::int32_t>(column.bytes.size()));
        column.bytes.append(text);
    }
    if (value.kind != EMI_TEXT && value.kind != EMI_BYTES) {
        if (value.kind != EMI_DOUBLE) column.i64[row] = value.i64;
        if (value.kind == EMI_REAL) column.hint[row] = value.hint;
        if (value.kind == EMI_REAL || value.kind == EMI_DOUBLE) column.f64[row] = value.f64;
    }
    valid |= bit;
    ++column.values;
}

emi_batch::Extra& emi_batch::extraOfLastRow() {
    const std::size_t row = item.size() - 1;
    if (extras.empty() || extras.back().row != row) extras.push_back({row, nullptr, nullptr});
    return extras.back();
}

// Extras are appended with the rows, so they are sorted by row.
const emi_batch::Extra* emi_batch::extra(std::size_t row) const {
    const auto found = std::lower_bound(extras.begin(), extras.end(), row,
                                        [](const Extra& extra, std::size_t wanted) { return extra.row < wanted; });
    return found != extras.end() && found->row == row ? &*found : nullptr;
}

void emi_batch::addTree(const Data& payload) {
    extraOfLastRow().data = std::make_unique<emissary::capi::Tree>(payload);
}

void emi_batch::addFields(Layout& layout, const FieldList& fields) {
    bool containers = false;
    fields.reset();
    while (fields.forth())
        containers |= addField(layout, fields.getEntry());
    // A message in a message may have made the tree already: the tree of the whole payload has these fields too.
    if (containers && (extras.empty() || extras.back().row != item.size() - 1 || !extras.back().data)) addTree(fields);
}

void emi_batch::addMessage(Layout& layout, const Msg& msg) {
    const auto kind = static_cast<emi_type>(type.back());
    domain.push_back(static_cast<std::uint8_t>(msg.getDomainType()));
    if (emissary::capi::saysMore(kind, msg) || item.back() == 0)  // without an item the name is in the header alone
        extraOfLastRow().header = std::make_unique<emissary::capi::KeptHeader>(kind, msg);
    const auto& payload = msg.getPayload();
    const auto payloadType = payload.getDataType();
    if (payloadType == DataType::FieldListEnum) return addFields(layout, payload.getFieldList());
    if (payloadType == DataType::NoDataEnum) {
        // What a request without payload says stands in its attributes: a login's password for example.
        if (kind == EMI_REQUEST && msg.getAttrib().getDataType() != DataType::NoDataEnum)
            addTree(emissary::capi::dataOf(msg.getAttrib()));
        return;
    }
    if (emissary::capi::isUnreadable(msg)) ++unreadable;
    addTree(emissary::capi::dataOf(payload));
    // What a post wants subscribers to get: its fields are the row's.
    if (payloadType == DataType::UpdateMsgEnum &&
        payload.getUpdateMsg().getPayload().getDataType() == DataType::FieldListEnum)
        addFields(layout, payload.getUpdateMsg().getPayload().getFieldList());
    else if (payloadType == DataType::RefreshMsgEnum &&
             payload.getRefreshMsg().getPayload().getDataType() == DataType::FieldListEnum)
        addFields(layout, payload.getRefreshMsg().getPayload().getFieldList());
}

void emi_batch::finish(Layout& layout) {
    match(layout);
    for (std::size_t i = 0; i < columns.size(); ++i)
        // A column that was asked for by name learns its id from the first message that has the field, maybe after this
        // batch had copied the column.
        columns[i].fid = layout.columns()[i].fid;
    finish();
}

void emi_batch::finish() {
    for (Column& column : columns) {
        if (!column.ready) {  // no message had it: bits alone
            column.validity.resize((capacity_ + 7) / 8);
            column.present.resize((capacity_ + 7) / 8);
            continue;
        }
        if (column.texts) column.offsets.resize(item.size() + 1, static_cast<std::int32_t>(column.bytes.size()));
    }
}

namespace {

void checkRow(const emi_batch* batch, std::size_t row) {
    emissary::capi::need(batch, "batch");
    if (row >= batch->item.size())
        throw emissary::capi::Failure(EMI_E_ARGUMENT,
                                      "row " + std::to_string(row) + " of " + std::to_string(batch->item.size()));
}

}  // namespace

int emi_batch_view(const emi_batch* batch, emi_view* view, emi_error* error) {
    return emissary::capi::guarded(error, [&] {
        emissary::capi::need(batch, "batch");
        emissary::capi::needSize(view, "view");
        *view = {static_cast<std::uint32_t>(sizeof *view),
                 batch->unreadable,
                 batch->item.size(),
                 batch->item.data(),
                 batch->time.data(),
                 batch->type.data(),
                 batch->state.data(),
                 batch->columns.size()};
    });
}

int emi_batch_column(const emi_batch* batch, size_t index, emi_column* column, emi_error* error) {
    return emissary::capi::guarded(error, [&] {
        emissary::capi::need(batch, "batch");
        emissary::capi::needSize(column, "column");
        if (index >= batch->columns.size())
            throw emissary::capi::Failure(EMI_E_ARGUMENT, "column " + std::to_string(index) + " of " +
                                                              std::to_string(batch->columns.size()));
        const auto& from = batch->columns[index];
        const auto array = [](const auto& values) { return values.empty() ? nullptr : values.data(); };
        // A row counts as one without a value when its message lacks the field.
        *column = {static_cast<std::uint32_t>(sizeof *column),
                   from.fid,
                   static_cast<std::uint8_t>(from.kind),
                   0,
                   from.name.c_str(),
                   from.validity.data(),
                   from.present.data(),
                   batch->item.size() - from.values,
                   array(from.i64),
                   array(from.f64),
                   array(from.hint),
                   array(from.offsets),
                   from.offsets.empty() ? nullptr : from.bytes.data()};
    });
}

int emi_batch_data(const emi_batch* batch, size_t row, const emi_value** data, size_t* count, emi_error* error) {
    return emissary::capi::guarded(error, [&] {
        emissary::capi::need(data, "data");
        emissary::capi::need(count, "count");
        // Outputs are set before anything can fail: a caller that ignores the code finds nothing instead of what lay
        // there.
        *data = nullptr;
        *count = 0;
        checkRow(batch, row);
        const auto* extra = batch->extra(row);
        if (extra == nullptr || !extra->data) return;
        *data = extra->data->values().data();
        *count = extra->data->values().size();
    });
}

int emi_batch_header(const emi_batch* batch, size_t row, emi_header* header, emi_error* error) {
    return emissary::capi::guarded(error, [&] {
        emissary::capi::needSize(header, "header");
        checkRow(batch, row);
        const auto* extra = batch->extra(row);
        if (extra != nullptr && extra->header) {
            *header = extra->header->get();
            return;
        }
        *header = {};
        header->size = sizeof *header;
        header->type = batch->type[row];
        header->domain = batch->domain[row];
        header->complete = 1;
        header->name = header->service = header->text = "";
    });
}

void emi_batch_free(emi_batch* batch) {
    delete batch;
}
