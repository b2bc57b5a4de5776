// Containers of JSON as RWF (json.md 6): field and element lists, arrays, and what is opaque.
#pragma once

#include "eta/codec/encoders.h"
#include "json/FieldNames.h"
#include "json/MemberReader.h"
#include "json/ValuesToRwf.h"
#include "json/quick_fields.h"

namespace emissary::eta::json {

class EntriesToRwf;
class MessageToRwf;

class PayloadToRwf {
public:
    using DataType = codec::DataType;

    PayloadToRwf(MemberReader& in, const Options& options, Tree& tree, ValuesToRwf& values, FieldNames& names,
                 EntriesToRwf& entries, MessageToRwf& messages) noexcept
        : in_(in), options_(options), tree_(tree), values_(values), names_(names), entries_(entries),
          messages_(messages) {}

    [[nodiscard]] bool container(DataType type, NodeIndex at, BeWriter& out, int depth);

    /// Elements of a login's key: one that has another type than its reader expects is the reader's to judge.
    [[nodiscard]] bool loginElements(NodeIndex at, BeWriter& out, int depth);
    /// The elements of the object at `at`, behind what the list has already.
    [[nodiscard]] bool appendElements(codec::ElementListEncoder& list, NodeIndex at, int depth);

private:
    [[nodiscard]] bool fields(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool flatFields(codec::FieldListEncoder& list, const FlatFields& flat, int depth);
    [[nodiscard]] const dictionary::FieldDefinition* flatField(std::string_view member,
                                                               const dictionary::FieldDefinition* before) noexcept;
    [[nodiscard]] bool slowFlatField(codec::FieldListEncoder& list, const dictionary::FieldDefinition& definition,
                                     const PlainValue& value, int depth);
    [[nodiscard]] bool quickField(codec::FieldListEncoder& list, const dictionary::FieldDefinition& definition,
                                  const PlainValue& value) noexcept;
    [[nodiscard]] bool field(codec::FieldListEncoder& list, const dictionary::FieldDefinition& definition, NodeIndex at,
                             int depth);
    [[nodiscard]] bool elements(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool element(codec::ElementListEncoder& list, std::string_view name, NodeIndex at, int depth);
    [[nodiscard]] bool array(NodeIndex at, BeWriter& out, int depth);
    void text(NodeIndex at, BeWriter& out) noexcept;

    MemberReader& in_;
    const Options& options_;
    Tree& tree_;
    ValuesToRwf& values_;
    FieldNames& names_;
    bool ofLogin_ = false;
    EntriesToRwf& entries_;
    MessageToRwf& messages_;
};

}  // namespace emissary::eta::json
