#include "codec/model/Value.h"
