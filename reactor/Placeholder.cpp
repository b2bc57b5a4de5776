#include "eta/core/Result.h"
