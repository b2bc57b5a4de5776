"""Conan 2 recipe, used from a checkout: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Emissary(ConanFile):
    name = "emissary"
    description = "Market-data message API in the style of EMA, over RSSL/RWF and rssl.json.v2"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    requires = ("boost/[>=1.81]", "libcurl/[>=7.88]", "libmicrohttpd/[>=0.9]", "libxml2/[>=2.9]", "lz4/[>=1.9]",
                "openssl/[>=3 <4]", "simdjson/[>=3]", "zlib/[>=1.2]")

    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):  # it stands in one place
        self.version = re.search(r"project\(Emissary VERSION ([\d.]+)", load(self, os.path.join(self._tree(), "CMakeLists.txt")))[1]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "NOTICE", "*.md", "cmake/*", "eta/*", "rest/*", "reactor/*", "logging/*",
                        "config/*", "ema/*", "book/*", "hub/*", "docs/*", "examples/*"):
            copy(self, pattern, self._tree(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({"EMISSARY_BUILD_TESTS": False, "EMISSARY_BUILD_TOOLS": False,
                                          "EMISSARY_SHARED": bool(self.options.shared)})
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):  # the CMake package that is installed says everything itself
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append("lib/cmake/Emissary")
