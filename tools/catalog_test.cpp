#include "tools/catalog.h"

#include <gtest/gtest.h>

#include "tools/fake_catalog.h"

namespace lockstep::tools {
namespace {

TEST(Catalog, FindsNothingForAnUnknownName) {
  const Catalog catalog = FakeCatalog();
  EXPECT_EQ(catalog.FindScenario("stead"), nullptr);
  EXPECT_EQ(catalog.FindMutant(""), nullptr);
  EXPECT_EQ(catalog.Meaning("Unheard"), "");
}

TEST(Catalog, FindsByName) {
  const Catalog catalog = FakeCatalog();
  ASSERT_NE(catalog.FindScenario("lazy"), nullptr);
  EXPECT_EQ(catalog.FindScenario("lazy")->name, "lazy");
  ASSERT_NE(catalog.FindMutant("tens"), nullptr);
  EXPECT_EQ(catalog.Meaning("NoTens"), "no seed is a multiple of ten");
  EXPECT_NE(catalog.Meaning(kProcessSurvives), "");
  EXPECT_NE(catalog.Meaning(kSameRunTwice), "");
}

}  // namespace
}  // namespace lockstep::tools
