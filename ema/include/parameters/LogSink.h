// ema: logging/LogSink.h under the name that it had before; programs include emissary/LogSink.h.
#pragma once

#include "logging/LogSink.h"
