// ema/data: every class that may stand inside a list; included where the add tables are expanded.
#pragma once

#include "Access/Include/AckMsg.h"
#include "Access/Include/ComplexType.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/FieldList.h"
#include "Access/Include/FilterList.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/Map.h"
#include "Access/Include/OmmAnsiPage.h"
#include "Access/Include/OmmArray.h"
#include "Access/Include/OmmJson.h"
#include "Access/Include/OmmOpaque.h"
#include "Access/Include/OmmXml.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/Series.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "Access/Include/Vector.h"

namespace emissary::ema {

/// Throws OmmInvalidUsageException for what may not be contained: opaque objects and messages that nothing was set on.
void requireContent(const refinitiv::ema::access::ComplexType& value, const char* what);

}  // namespace emissary::ema
