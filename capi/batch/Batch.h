// capi/batch: rows of messages as columns: filled by a consumer, read through emi_batch_view() and emi_batch_column().
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "data/Tree.h"
#include "data/header.h"
#include "data/values.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::capi {

/// The fields of the batches of one consumer: which column a field id belongs to, and what is known of it.
class Layout {
public:
    static constexpr std::size_t kMaxColumns = 4096;
    struct Column {
        std::string name;
        std::int16_t fid = 0;
        emi_kind kind = EMI_NOTHING;
    };

    Layout();
    /// At most kMaxColumns. None: every field that comes.
    void choose(std::vector<std::string> fields);
    /// The column of the field, or -1 when nobody asked for it.
    [[nodiscard]] int columnOf(const refinitiv::ema::access::FieldEntry& field) {
        const auto known = byId_[static_cast<std::uint16_t>(field.getFieldId())];
        return known != kUnknown ? known : lookUp(field);
    }
    [[nodiscard]] std::vector<Column>& columns() noexcept { return columns_; }

    bool enumTexts = false;  ///< columns of enumerated fields have texts beside the numbers

private:
    static constexpr std::int16_t kNobody = -1, kUnknown = -2;
    [[nodiscard]] int lookUp(const refinitiv::ema::access::FieldEntry& field);

    bool all_ = true;
    std::vector<Column> columns_;
    std::vector<std::int16_t> byId_;  // by the field id's 16 bits
};

}  // namespace emissary::capi

/// The rows of one call. Not changed after the consumer has handed it out.
struct emi_batch {
    struct Column {
        std::string name;
        std::int16_t fid = 0;
        emi_kind kind = EMI_NOTHING;
        std::vector<std::uint8_t> validity, present;
        std::vector<std::int64_t> i64;
        std::vector<double> f64;
        std::vector<std::uint8_t> hint;
        std::vector<std::int32_t> offsets;
        std::string bytes;
        std::size_t values = 0;
        bool ready = false;  // has arrays
        bool texts = false;  // has offsets and bytes
    };

    explicit emi_batch(std::size_t rowsExpected);
    /// A payload or a header that columns cannot hold.
    struct Extra {
        std::size_t row;
        std::unique_ptr<emissary::capi::KeptHeader> header;
        std::unique_ptr<emissary::capi::Tree> data;
    };

    /// Begins a row and returns its number.
    std::size_t addRow(std::uint64_t itemNumber, std::int64_t now, emi_type kind, emi_state quality);
    /// Writes the message into the last row: fields into columns, and what does not fit there beside them.
    void addMessage(emissary::capi::Layout& layout, const refinitiv::ema::access::Msg& msg);
    /// A column of its own, for rows that are no messages; before the first row. Returns its index.
    std::size_t addColumn(std::string name, emi_kind kind);
    /// Writes a value into the last row, unless it is blank.
    void put(std::size_t column, const emissary::capi::Value& value);
    /// Gives all columns their full length.
    void finish();
    /// Null for a row without one.
    [[nodiscard]] const Extra* extra(std::size_t row) const;
    /// Gives all columns their full length.
    void finish(emissary::capi::Layout& layout);

    std::vector<std::uint64_t> item;
    std::vector<std::int64_t> time;
    std::vector<std::uint8_t> type, state, domain;
    std::vector<Column> columns;
    std::vector<Extra> extras;     // by row
    std::uint32_t unreadable = 0;  // rows whose payload cannot be decoded

private:
    /// Returns whether the field is a container.
    bool addField(emissary::capi::Layout& layout, const refinitiv::ema::access::FieldEntry& field);
    void addFields(emissary::capi::Layout& layout, const refinitiv::ema::access::FieldList& fields);
    void addTree(const refinitiv::ema::access::Data& payload);
    Extra& extraOfLastRow();
    void put(Column& column, const emissary::capi::Value& value);
    /// Arrays of a column as the kind wants them; `enumTexts`: as Layout has it.
    void prepare(Column& column, emi_kind kind, bool enumTexts);
    void grow();
    void match(emissary::capi::Layout& layout);

    std::size_t capacity_;
};
