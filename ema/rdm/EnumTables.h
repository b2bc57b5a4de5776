// ema/rdm: public enumerated-type tables of one dictionary, made when somebody asks for them.
#pragma once

#include "Rdm/Include/EnumTypeTable.h"
#include "eta/dictionary/Dictionary.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <memory>
#include <mutex>

namespace emissary::ema {

/// Thread safe. What it returns stays valid as long as it lives.
class EnumTables {
public:
    [[nodiscard]] const refinitiv::ema::rdm::EnumTypeTable& of(const eta::dictionary::EnumTable& table);

private:
    std::mutex mutex_;
    boost::unordered_flat_map<const eta::dictionary::EnumTable*, std::unique_ptr<refinitiv::ema::rdm::EnumTypeTable>>
        made_;  // guarded by mutex_
};

}  // namespace emissary::ema
