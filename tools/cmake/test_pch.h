// Precompiled for every test: the layers' header, GoogleTest, GoogleMock and RapidCheck.

#pragma once

#include "tools/cmake/layer_pch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
