// The constants under their long path (ema-api.md 0.1).
#pragma once

#include "../../EmaRdm.h"
