// The catalog of this build: every scenario, mutant, property and strategy there is.
#pragma once

#include "tools/catalog.h"

namespace lockstep::tools {

Catalog FullCatalog();

}  // namespace lockstep::tools
