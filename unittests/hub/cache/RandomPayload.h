// Random payloads of every container, over few fields, names, keys and indexes, so that entries meet again.
#pragma once

#include "eta/codec/Types.h"
#include "eta/codec/encoders.h"

#include <random>
#include <string>
#include <vector>

namespace emissary::test {

/// Makes payloads; the same seed makes the same.
class RandomPayload {
public:
    explicit RandomPayload(std::uint64_t seed) : random_(seed), block_(1u << 20) {}

    /// `whole`: as of a refresh, else as of an update. Borrows until the next call.
    [[nodiscard]] eta::Bytes make(eta::codec::DataType type, bool whole, eta::codec::DataType nested);
    /// Below n, which is not 0.
    [[nodiscard]] unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
    [[nodiscard]] bool oneIn(unsigned n) { return below(n) == 0; }

    bool sortable = true;  ///< of vectors

private:
    void container(eta::BeWriter& out, eta::codec::DataType type, bool whole, eta::codec::DataType nested, int depth,
                   bool inSets);
    void fieldList(eta::BeWriter& out, bool whole, bool inSets);
    void elementList(eta::BeWriter& out, bool whole, bool inSets);
    void map(eta::BeWriter& out, bool whole, eta::codec::DataType nested, int depth);
    void vector(eta::BeWriter& out, bool whole, eta::codec::DataType nested, int depth);
    void series(eta::BeWriter& out, eta::codec::DataType nested, int depth);
    void filterList(eta::BeWriter& out, bool whole, eta::codec::DataType nested, int depth);
    std::string fieldValue(std::int16_t id);
    std::string rmtes();
    [[nodiscard]] eta::codec::EntryContainerHeader head(eta::codec::DataType nested, int depth, bool whole);
    [[nodiscard]] eta::codec::DataType deeper();

    std::mt19937_64 random_;
    std::vector<std::byte> block_;
    std::vector<std::vector<std::byte>> kept_;  // summaries and definitions of the payload being made
};

}  // namespace emissary::test
