// Passes whose lines live in global memory: one launch a radix stage, and one for each end.

#include "engine/defines.h"
#include "engine/global_lines.h"
#include "engine/passes.h"
#include "opencl/buffers.h"
#include "opencl/program.h"

namespace clconv {
namespace {

cl_ulong first_cell(const Plan& plan, int plane) { return plan.spectrum.cells() * plane; }

class GlobalRows : public RowPass {
public:
    explicit GlobalRows(const PassContext& context)
        : plan_(context.plan),
          lines_(context.device, context.kernels, plan_.rows, pairs_in(plan_.spectrum.packs), plan_.problem.precision)
    {
        Defines defines;
        defines.add_lines(precision_define(plan_.problem.precision))
            .add("N", plan_.x.length)
            .add_lines(image_defines(plan_))
            .add_lines(spectrum_defines(plan_))
            .add_scalar("SCALE", result_scale(plan_), plan_.problem.precision);
        const cl::Program program = build(context.device, context.kernels, {"global_rows.cl", defines.text(), ""});
        load_ = cl::Kernel(program, "load_rows");
        load_psf_ = cl::Kernel(program, "load_psf_rows");
        split_ = cl::Kernel(program, "split_rows");
        merge_ = cl::Kernel(program, "merge_rows");
        store_ = cl::Kernel(program, "store_rows");
        columns_ = upload(context.device, source_table(plan_.x, plan_.problem.border));
    }

    void forward(Launcher& launcher, const ImageBuffers& image, const cl::Buffer& spectra, int first_plane) override
    {
        const int packs = packs_of(plan_, plan_.problem.image.height);
        for (int plane = 0; plane < plan_.planes; ++plane) {
            launcher.run_plane("rows", load_, length(), pairs_in(packs), image.input, lines_.lines(), columns_,
                               image.bias, static_cast<cl_uint>(first_plane + plane));
            lines_.transform(launcher, "rows", pairs_in(packs));
            launcher.run_plane("rows", split_, columns(), pairs_in(packs), lines_.lines(), spectra,
                               first_cell(plan_, plane));
        }
    }

    void psf_forward(Launcher& launcher, const PsfBuffers& psf, const cl::Buffer& spectra, int plane) override
    {
        const std::size_t pairs = pairs_in(packs_of(plan_, psf.height));
        launcher.run_plane("psf rows", load_psf_, length(), pairs, psf.weights, lines_.lines(), psf.columns,
                           static_cast<cl_uint>(psf.width), static_cast<cl_uint>(psf.height),
                           static_cast<cl_uint>(plane));
        lines_.transform(launcher, "psf rows", pairs);
        launcher.run_plane("psf rows", split_, columns(), pairs, lines_.lines(), spectra, cl_ulong{0});
    }

    void inverse(Launcher& launcher, const cl::Buffer& spectra, const ImageBuffers& image, int first_plane) override
    {
        const int packs = packs_of(plan_, plan_.output.height);
        for (int plane = 0; plane < plan_.planes; ++plane) {
            launcher.run_plane("rows back", merge_, columns(), pairs_in(packs), spectra, lines_.lines(),
                               first_cell(plan_, plane));
            lines_.transform(launcher, "rows back", pairs_in(packs));
            launcher.run_plane("rows back", store_, static_cast<std::size_t>(plan_.output.width), pairs_in(packs),
                               lines_.lines(), image.output, image.restore, image.weight,
                               static_cast<cl_uint>(first_plane + plane));
        }
    }

private:
    [[nodiscard]] std::size_t length() const { return plan_.x.length; }
    [[nodiscard]] std::size_t columns() const { return plan_.spectrum.columns; }
    [[nodiscard]] std::size_t pairs_in(int packs) const
    {
        return static_cast<std::size_t>(packs) * plan_.spectrum.rows_together / 2;
    }

    Plan plan_;
    GlobalLines lines_;
    cl::Kernel load_, load_psf_, split_, merge_, store_;
    cl::Buffer columns_;
};

class GlobalColumns : public ColumnPass {
public:
    explicit GlobalColumns(const PassContext& context)
        : plan_(context.plan),
          lines_(context.device, context.kernels, plan_.columns, plan_.spectrum.columns, plan_.problem.precision)
    {
        Defines defines;
        defines.add_lines(precision_define(plan_.problem.precision))
            .add("N", plan_.y.length)
            .add_lines(spectrum_defines(plan_))
            .add("LOADED_Y", plan_.y.loaded)
            .add("ROW_TABLE", plan_.y.extended())
            .add("OUT_HEIGHT", plan_.output.height)
            .add_scalar("COLUMN_SCALE", column_scale(plan_), plan_.problem.precision);
        const cl::Program program = build(context.device, context.kernels, {"global_columns.cl", defines.text(), ""});
        load_ = cl::Kernel(program, "load_columns");
        load_psf_ = cl::Kernel(program, "load_psf_columns");
        multiply_ = cl::Kernel(program, "multiply_columns");
        keep_ = cl::Kernel(program, "keep_transfer");
        store_ = cl::Kernel(program, "store_columns");
        rows_ = upload(context.device, source_table(plan_.y, plan_.problem.border));
    }

    void convolve(Launcher& launcher, const cl::Buffer& spectra, const cl::Buffer& transfer, int first_plane) override
    {
        for (int plane = 0; plane < plan_.planes; ++plane) {
            const cl_ulong cell = first_cell(plan_, plane);
            launcher.run_plane("columns", load_, length(), columns(), spectra, lines_.lines(), rows_, cell);
            lines_.transform(launcher, "columns", columns());
            launcher.run_plane("columns", multiply_, length(), columns(), lines_.lines(), transfer,
                               transfer_cell((first_plane + plane) % plan_.psf_planes()));
            lines_.transform(launcher, "columns", columns());
            launcher.run_plane("columns", store_, static_cast<std::size_t>(plan_.output.height), columns(),
                               lines_.lines(), spectra, cell);
        }
    }

    void psf_forward(Launcher& launcher, const cl::Buffer& spectra, const PsfBuffers& psf, const cl::Buffer& transfer,
                     int plane) override
    {
        launcher.run_plane("psf columns", load_psf_, length(), columns(), spectra, lines_.lines(), psf.rows,
                           cl_ulong{0});
        lines_.transform(launcher, "psf columns", columns());
        launcher.run_plane("psf columns", keep_, length(), columns(), lines_.lines(), transfer, transfer_cell(plane));
    }

private:
    [[nodiscard]] std::size_t length() const { return plan_.y.length; }
    [[nodiscard]] std::size_t columns() const { return plan_.spectrum.columns; }
    [[nodiscard]] cl_ulong transfer_cell(int psf_channel) const { return plan_.transfer_cells() * psf_channel; }

    Plan plan_;
    GlobalLines lines_;
    cl::Kernel load_, load_psf_, multiply_, keep_, store_;
    cl::Buffer rows_;
};

}  // namespace

std::unique_ptr<RowPass> make_global_rows(const PassContext& context) { return std::make_unique<GlobalRows>(context); }

std::unique_ptr<ColumnPass> make_global_columns(const PassContext& context)
{
    return std::make_unique<GlobalColumns>(context);
}

}  // namespace clconv
