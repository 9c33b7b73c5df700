// SPDX-License-Identifier: Apache-2.0
// The device's formulas for where values lie against the host's: kernels/stage.cl and src/fft/stage_index.h.

#include "fft/stage_index.h"

#include "fft/local_line.h"
#include "fft/radix.h"
#include "opencl/buffers.h"
#include "opencl/handles.h"
#include "opencl/program.h"
#include "passes/defines.h"
#include "passes/launcher.h"
#include "support/test_device.h"

#include <gtest/gtest.h>

namespace clconv::test {
namespace {

// What put leaves at each position, as (butterfly, output); what take finds for each (butterfly, input), as positions;
// and which butterflies a work-item has in the last, paired stage.
constexpr const char* kStageProbe = R"(
#include "complex.cl"
#include "butterfly.cl"
#include "generic.cl"
#include "line.cl"

#define PUT(slot, radix, stride, to)                                                                \
    for (int i = 0; i < SHARE(radix); ++i)                                                          \
        for (int q = 0; q < radix; ++q) v[i * radix + q] = (cplx){butterfly##slot(tx, i), q};       \
    put##slot(v, tx, stride, 0, 0, scratch);                                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    for (uint n = tx; n < N; n += TX) to[n] = scratch[n];                                           \
    barrier(CLK_LOCAL_MEM_FENCE);

#define TAKE(slot, radix, count, exists, block, to)                                                 \
    for (uint n = tx; n < N; n += TX) scratch[n] = (float2)(n, 0);                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    take##slot(v, tx, block, 0, 0, scratch);                                                        \
    for (int i = 0; i < count; ++i)                                                                 \
        if (exists)                                                                                 \
            for (int m = 0; m < radix; ++m) to[butterfly##slot(tx, i) * radix + m] = v[i * radix + m].re; \
    barrier(CLK_LOCAL_MEM_FENCE);

__kernel void probe(__global float2 *outputs0, __global float2 *outputs1, __global float *inputs1,
                    __global float *inputs2, __global int *partners)
{
    __local cell scratch[N];
    const uint tx = get_local_id(0);
    cplx v[VALUES];
    PUT(0, R0, S0, outputs0)
    PUT(1, R1, S1, outputs1)
    TAKE(1, R1, SHARE(R1), BELOW(i * TX, N / R1), S1, inputs1)
    TAKE(2, R2, PAIR_SHARE(R2), BELOW(i / 2 * TX, (N / R2 + 1) / 2), S2, inputs2)
    for (int i = 0; i < PAIR_SHARE(R2); i += 2)
        if (BELOW(i / 2 * TX, (N / R2 + 1) / 2)) partners[butterfly2(tx, i)] = butterfly2(tx, i + 1);
}
)";

struct ProbedStages {
    std::vector<cl_float2> outputs0, outputs1;
    std::vector<float> inputs1, inputs2;
    std::vector<int> partners;
};

template <class T>
void fetch(Launcher& launcher, const cl::Buffer& buffer, std::vector<T>& to)
{
    launcher.read(buffer, to.data(), to.size() * sizeof(T));
}

ProbedStages probe(const std::vector<int>& radices, const LocalLine& line, int length)
{
    Device& device = *test_device();
    const KernelSource kernels = KernelSource::embedded().with("probe.cl", kStageProbe);
    const std::string defines = line_defines(radices, line, true) + butterfly_defines(Butterflies::embedded, radices);
    Kernel kernel(build(device, kernels, {"probe.cl", "probe.cl", defines, ""}), "probe");
    ProbedStages result{std::vector<cl_float2>(length), std::vector<cl_float2>(length), std::vector<float>(length),
                        std::vector<float>(length), std::vector<int>(pair_count(length, radices.back()))};
    const cl::Buffer outputs0 = upload(device, result.outputs0), outputs1 = upload(device, result.outputs1);
    const cl::Buffer inputs1 = upload(device, result.inputs1), inputs2 = upload(device, result.inputs2);
    const cl::Buffer partners = upload(device, result.partners);
    Launcher launcher(device);
    launcher.run("probe", kernel, 1, line.items, named("outputs0", outputs0), named("outputs1", outputs1),
                 named("inputs1", inputs1), named("inputs2", inputs2), named("partners", partners));
    fetch(launcher, outputs0, result.outputs0);
    fetch(launcher, outputs1, result.outputs1);
    fetch(launcher, inputs1, result.inputs1);
    fetch(launcher, inputs2, result.inputs2);
    fetch(launcher, partners, result.partners);
    (void)launcher.finish();
    return result;
}

void expect_outputs(const std::vector<cl_float2>& outputs, int length, int radix, int stride)
{
    for (int j = 0; j < length / radix; ++j)
        for (int q = 0; q < radix; ++q) {
            const cl_float2 found = outputs.at(stage_output(radix, stride, j, q));
            ASSERT_EQ(found.s[0], static_cast<float>(j)) << "output " << q << " of radix " << radix;
            ASSERT_EQ(found.s[1], static_cast<float>(q)) << "butterfly " << j << " of radix " << radix;
        }
}

void expect_inputs(const std::vector<float>& inputs, int length, int radix)
{
    for (int j = 0; j < length / radix; ++j)
        for (int m = 0; m < radix; ++m)
            ASSERT_EQ(inputs.at(j * radix + m), static_cast<float>(stage_input(length, radix, j, m)))
                << "input " << m << " of butterfly " << j << " of radix " << radix;
}

TEST(StageIndexOnTheDevice, IsTheHosts)
{
    // The number of butterflies of the last stage is even (20), odd (35), and one.
    for (const auto& radices : {std::vector{5, 4, 3}, {7, 5, 2}, {4, 2, 8}, {3, 3, 9}}) {
        SCOPED_TRACE(testing::PrintToString(radices));
        const int length = radices[0] * radices[1] * radices[2];
        const auto line = local_line({.radices = radices, .paired_last = true, .max_group = 7, .banks = false});
        ASSERT_TRUE(line);
        const ProbedStages found = probe(radices, *line, length);
        expect_outputs(found.outputs0, length, radices[0], 1);
        expect_outputs(found.outputs1, length, radices[1], radices[0]);
        expect_inputs(found.inputs1, length, radices[1]);
        expect_inputs(found.inputs2, length, radices[2]);
        for (int pair = 0; pair < pair_count(length, radices[2]); ++pair)
            EXPECT_EQ(found.partners.at(pair), pair_partner(length, radices[2], pair));
    }
}

}  // namespace
}  // namespace clconv::test
