// SPDX-License-Identifier: Apache-2.0
// Passes with lines in global memory: one launch for each radix stage, and one for each end.

#include "opencl/buffers.h"
#include "passes/global_lines.h"
#include "passes/pass_names.h"
#include "passes/passes.h"
#include "passes/recipes.h"
#include "passes/sizes.h"

namespace clconv {
namespace {

cl_ulong first_value(const Spectrum& spectrum, int plane) { return spectrum.cells() * plane; }

class GlobalRows : public RowPass {
public:
    explicit GlobalRows(const PassContext& context)
        : plan_(context.plan),
          fft_(plan_.fft()),
          lines_(context.device, context.kernels, fft_.rows, pairs_in(fft_.spectrum.packs), plan_.problem.precision),
          sizes_(sizes_of(plan_))
    {
        const BuiltProgram program = build(context.device, context.kernels, global_rows_recipe(plan_));
        load_ = Kernel(program, "load_rows");
        load_psf_ = Kernel(program, "load_psf_rows");
        split_ = Kernel(program, "split_rows");
        merge_ = Kernel(program, "merge_rows");
        store_ = Kernel(program, "store_rows");
        columns_ = upload(context.device, source_table(fft_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        const int packs = packs_of(fft_.spectrum, plan_.problem.image.height);
        for (int plane = 0; plane < fft_.planes; ++plane) {
            launcher.run_plane(pass::kRows, load_, length(), pairs_in(packs), named("samples", image.input),
                               named("lines", lines_.lines()), named("source_column", columns_),
                               named("bias", image.bias), named("channel", static_cast<cl_uint>(first_plane + plane)),
                               named("given", sizes_));
            lines_.transform(launcher, pass::kRows, pairs_in(packs));
            launcher.run_plane(pass::kRows, split_, columns(), pairs_in(packs), named("lines", lines_.lines()),
                               named("spectra", spectra), named("first_value", first_value(fft_.spectrum, plane)),
                               named("given", sizes_));
        }
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        const std::size_t pairs = pairs_in(packs_of(fft_.spectrum, psf.height));
        launcher.run_plane(pass::kPsfRows, load_psf_, length(), pairs, named("weights", psf.weights),
                           named("lines", lines_.lines()), named("source_column", psf.columns),
                           named("width", static_cast<cl_uint>(psf.width)),
                           named("height", static_cast<cl_uint>(psf.height)),
                           named("channel", static_cast<cl_uint>(plane)), named("given", sizes_));
        lines_.transform(launcher, pass::kPsfRows, pairs);
        launcher.run_plane(pass::kPsfRows, split_, columns(), pairs, named("lines", lines_.lines()),
                           named("spectra", spectra), named("first_value", cl_ulong{0}), named("given", sizes_));
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        const int packs = packs_of(fft_.spectrum, plan_.output.height);
        for (int plane = 0; plane < fft_.planes; ++plane) {
            launcher.run_plane(pass::kRowsBack, merge_, columns(), pairs_in(packs), named("spectra", spectra),
                               named("lines", lines_.lines()), named("first_value", first_value(fft_.spectrum, plane)),
                               named("given", sizes_));
            lines_.transform(launcher, pass::kRowsBack, pairs_in(packs));
            launcher.run_plane(pass::kRowsBack, store_, static_cast<std::size_t>(plan_.output.width), pairs_in(packs),
                               named("lines", lines_.lines()), named("samples", image.output),
                               named("image", image.input), named("restore", image.restore),
                               named("weight", image.weight), named("mask", image.mask),
                               named("channel", static_cast<cl_uint>(first_plane + plane)), named("given", sizes_));
        }
    }

private:
    [[nodiscard]] std::size_t length() const { return fft_.x.length; }
    [[nodiscard]] std::size_t columns() const { return fft_.spectrum.columns; }
    [[nodiscard]] std::size_t pairs_in(int packs) const
    {
        return static_cast<std::size_t>(packs) * fft_.spectrum.rows_together / 2;
    }

    Plan plan_;
    const FftPlan& fft_;
    GlobalLines lines_;
    Sizes sizes_;
    Kernel load_, load_psf_, split_, merge_, store_;
    cl::Buffer columns_;
};

class GlobalColumns : public ColumnPass {
public:
    explicit GlobalColumns(const PassContext& context)
        : plan_(context.plan),
          fft_(plan_.fft()),
          lines_(context.device, context.kernels, fft_.columns, fft_.spectrum.columns, plan_.problem.precision),
          sizes_(sizes_of(plan_))
    {
        const BuiltProgram program = build(context.device, context.kernels, global_columns_recipe(plan_));
        load_ = Kernel(program, "load_columns");
        multiply_ = Kernel(program, "multiply_columns");
        keep_ = Kernel(program, "keep_transfer");
        store_ = Kernel(program, "store_columns");
        rows_ = upload(context.device, source_table(fft_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& /*source*/, const cl::Buffer& spectra,
                  const cl::Buffer& transfer, const Planes& planes) override
    {
        for (int plane = 0; plane < fft_.planes; ++plane) {
            const cl_ulong first = first_value(fft_.spectrum, plane);
            launcher.run_plane(pass::kColumns, load_, length(), columns(), named("spectra", spectra),
                               named("lines", lines_.lines()), named("source_row", rows_), named("first_value", first),
                               named("given", sizes_));
            lines_.transform(launcher, pass::kColumns, columns());
            launcher.run_plane(pass::kColumns, multiply_, length(), columns(), named("lines", lines_.lines()),
                               named("transfer", transfer),
                               named("first_transfer", first_transfer((planes.first + plane) %
                                                                      fft_.planes_of(plan_.problem.psf_channels))),
                               named("given", sizes_));
            lines_.transform(launcher, pass::kColumns, columns());
            launcher.run_plane(pass::kColumns, store_, static_cast<std::size_t>(plan_.output.height), columns(),
                               named("lines", lines_.lines()), named("spectra", spectra), named("first_value", first),
                               named("given", sizes_));
        }
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        launcher.run_plane(pass::kPsfColumns, load_, length(), columns(), named("spectra", spectra),
                           named("lines", lines_.lines()), named("source_row", psf.rows),
                           named("first_value", cl_ulong{0}), named("given", sizes_));
        lines_.transform(launcher, pass::kPsfColumns, columns());
        launcher.run_plane(pass::kPsfColumns, keep_, length(), columns(), named("lines", lines_.lines()),
                           named("transfer", transfer), named("first_transfer", first_transfer(plane)),
                           named("given", sizes_));
    }

private:
    [[nodiscard]] std::size_t length() const { return fft_.y.length; }
    [[nodiscard]] std::size_t columns() const { return fft_.spectrum.columns; }
    [[nodiscard]] cl_ulong first_transfer(int psf_channel) const { return fft_.transfer_cells() * psf_channel; }

    Plan plan_;
    const FftPlan& fft_;
    GlobalLines lines_;
    Sizes sizes_;
    Kernel load_, multiply_, keep_, store_;
    cl::Buffer rows_;
};

}  // namespace

std::unique_ptr<RowPass> make_global_rows(const PassContext& context) { return std::make_unique<GlobalRows>(context); }

std::unique_ptr<ColumnPass> make_global_columns(const PassContext& context)
{
    return std::make_unique<GlobalColumns>(context);
}

}  // namespace clconv
