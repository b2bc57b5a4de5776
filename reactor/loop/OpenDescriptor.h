#include "reactor/OpenDescriptor.h"
