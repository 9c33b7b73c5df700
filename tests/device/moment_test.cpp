// SPDX-License-Identifier: Apache-2.0
// A moment of a queue has passed once its event is complete.

#include "opencl/moment.h"

#include "opencl/handles.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

TEST(Moment, OfTheDistantPastHasPassedInEveryQueue)
{
    const Moment moment;
    EXPECT_TRUE(moment.has_passed());
    EXPECT_TRUE(moment.is_of(test_device()->handles().queue));
    EXPECT_EQ(moment.event()(), nullptr);
    moment.wait();
}

TEST(Moment, PassesWithItsEventForAllCopies)
{
    const Device::Handles& handles = test_device()->handles();
    cl::UserEvent event(handles.context);
    const Moment moment(event, handles.queue);
    const Moment copy = moment;
    EXPECT_FALSE(moment.has_passed());
    EXPECT_FALSE(copy.has_passed());
    EXPECT_TRUE(copy.is_of(handles.queue));
    EXPECT_FALSE(copy.is_of(handles.plain_queue));
    event.setStatus(CL_COMPLETE);
    EXPECT_TRUE(copy.has_passed());
    EXPECT_TRUE(moment.has_passed());
    moment.wait();
}

}  // namespace
}  // namespace clconv::test
