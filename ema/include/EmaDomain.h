// Helpers for the domain models in one include (ema-api.md 0.1).
#pragma once

#include "Domain/Login/Include/Login.h"
