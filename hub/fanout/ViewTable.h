#pragma once

#include "hub/core/ViewTable.h"

namespace emissary::hub::fanout {
using hub::ViewTable;
}
