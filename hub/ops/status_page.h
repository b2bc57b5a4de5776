// The status page; its text is hub/ops/web/status.html.
#pragma once

namespace emissary::hub::ops {

extern const char* const kStatusPage;

}  // namespace emissary::hub::ops
