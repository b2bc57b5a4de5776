// The extension module emissary._core.
#include "Batch.h"

NB_MODULE(_core, module) {
    nanobind::set_leak_warnings(false);  // at the end of the interpreter objects may be held by others
    module.def("version", [] { return emi_version(); });
    emissary::python::defineBatch(module);
    emissary::python::defineConsumer(module);
    emissary::python::defineProvider(module);
}
