// SPDX-License-Identifier: Apache-2.0
// FFTW, single precision, in three arrangements, each as good as a careful user would write it:
//
//   plain   one 2-D real transform of the padded plane, there and back
//   split   rows first, only those that hold data; then columns in blocks that stay in the cache, product in between
//   tiles   overlap-save: the best tile of a few, fitted to the image, a thread a tile
//
// The PSF's spectrum is computed once. Padding and cropping are timed. Real input and output stay out of place: the
// padded margins are written once and stay zero.

#include "fftw.h"
#include "peer.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

namespace clconv::peers {
namespace {

/// `count` complex numbers of `a` times those of `b`.
void multiply(float* a, const float* b, std::size_t count)
{
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
        const float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        const float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        a[2 * i] = re;
        a[2 * i + 1] = im;
    }
}

/// What all arrangements hold.
class FftwConvolution : public Convolution {
public:
    FftwConvolution(const Work& work, int threads) : work_(work), threads_(threads), output_(work.image.size()) {}

    std::vector<float> result() override
    {
        std::fill(output_.begin(), output_.end(), std::nanf(""));
        start();
        return output_;
    }

protected:
    [[nodiscard]] const Work& work() const { return work_; }
    [[nodiscard]] int threads() const { return threads_; }
    [[nodiscard]] const float* input(int channel, int y) const { return work_.image.data() + row(channel, y); }
    [[nodiscard]] float* output(int channel, int y) { return output_.data() + row(channel, y); }

private:
    [[nodiscard]] std::size_t row(int channel, int y) const
    {
        return channel * work_.plane() + static_cast<std::size_t>(y) * work_.width;
    }

    const Work& work_;
    int threads_;
    std::vector<float> output_;
};

class Plain : public FftwConvolution {
public:
    Plain(const Work& work, int threads)
        : FftwConvolution(work, threads),
          width_(padded_size(work, work.width)),
          height_(padded_size(work, work.height)),
          columns_(width_ / 2 + 1),
          padded_(static_cast<std::size_t>(width_) * height_),
          inverse_(padded_.size()),
          spectrum_(2 * columns_ * height_),
          transfer_(spectrum_.size()),
          forward_plan_(make_forward(threads)),
          inverse_plan_(fftwf_plan_dft_c2r_2d(height_, width_, spectrum_.complex_at(0), inverse_.at(0), kRigor))
    {
        padded_.fill(wrapped_psf(work, width_, height_, 1.0 / width_ / height_));
        fftwf_execute_dft_r2c(forward_plan_.get(), padded_.at(0), transfer_.complex_at(0));
        std::fill_n(padded_.at(0), padded_.size(), 0.0f);
    }

    void start() override
    {
        for (int channel = 0; channel < work().channels; ++channel) {
            const std::size_t row_bytes = sizeof(float) * work().width;
#pragma omp parallel for num_threads(threads())
            for (int y = 0; y < work().height; ++y)
                std::memcpy(padded_.at(static_cast<std::size_t>(y) * width_), input(channel, y), row_bytes);
            fftwf_execute(forward_plan_.get());
#pragma omp parallel for num_threads(threads())
            for (int y = 0; y < height_; ++y)
                multiply(spectrum_.at(2 * columns_ * y), transfer_.at(2 * columns_ * y), columns_);
            fftwf_execute(inverse_plan_.get());
#pragma omp parallel for num_threads(threads())
            for (int y = 0; y < work().height; ++y)
                std::memcpy(output(channel, y), inverse_.at(static_cast<std::size_t>(y) * width_), row_bytes);
        }
    }

    [[nodiscard]] std::string detail() const { return fmt::format("padded {}x{}", width_, height_); }

private:
    fftwf_plan make_forward(int threads)
    {
        fftwf_plan_with_nthreads(threads);
        return fftwf_plan_dft_r2c_2d(height_, width_, padded_.at(0), spectrum_.complex_at(0), kRigor);
    }

    int width_, height_;
    std::size_t columns_;
    Floats padded_, inverse_, spectrum_, transfer_;
    Plan forward_plan_, inverse_plan_;
};

class Split : public FftwConvolution {
public:
    /// `block`: columns that are transformed together.
    Split(const Work& work, int threads, int block)
        : FftwConvolution(work, threads),
          width_(padded_size(work, work.width)),
          height_(padded_size(work, work.height)),
          block_(block),
          blocks_((width_ / 2 + block) / block),
          pitch_(static_cast<std::size_t>(blocks_) * block + 16),
          line_floats_((static_cast<std::size_t>(width_) + 31) / 16 * 16),
          block_complex_(static_cast<std::size_t>(block) * height_),
          spectrum_(2 * pitch_ * work.height),
          transfer_(2 * block_complex_ * blocks_),
          lines_(line_floats_ * threads),
          scratch_(2 * block_complex_ * threads),
          rows_forward_(make_row_plan()),
          rows_inverse_(
              fftwf_plan_dft_c2r_1d(width_, spectrum_.complex_at(0), lines_.at(0), kRigor | FFTW_DESTROY_INPUT)),
          columns_forward_(column_plan(FFTW_FORWARD)),
          columns_inverse_(column_plan(FFTW_BACKWARD))
    {
        prepare_transfer();
    }

    void start() override
    {
        for (int channel = 0; channel < work().channels; ++channel) {
            transform_rows(channel);
            convolve_columns();
            inverse_rows(channel);
        }
    }

    [[nodiscard]] std::string detail() const
    {
        return fmt::format("padded {}x{}, {} columns a block", width_, height_, block_);
    }

private:
    fftwf_plan make_row_plan()
    {
        fftwf_plan_with_nthreads(1);
        return fftwf_plan_dft_r2c_1d(width_, lines_.at(0), spectrum_.complex_at(0), kRigor);
    }

    fftwf_plan column_plan(int sign)
    {
        fftwf_complex* data = scratch_.complex_at(0);
        return fftwf_plan_many_dft(1, &height_, block_, data, nullptr, block_, 1, data, nullptr, block_, 1, sign,
                                   kRigor);
    }

    void prepare_transfer()
    {
        const std::vector<float> psf = wrapped_psf(work(), width_, height_, 1.0 / width_ / height_);
        std::vector<float> rows(2 * pitch_ * height_);
        for (int y = 0; y < height_; ++y) {
            std::copy_n(psf.data() + static_cast<std::size_t>(y) * width_, width_, lines_.at(0));
            fftwf_execute_dft_r2c(rows_forward_.get(), lines_.at(0), spectrum_.complex_at(0));
            std::copy_n(spectrum_.at(0), 2 * (width_ / 2 + 1), rows.data() + 2 * pitch_ * y);
        }
        for (int b = 0; b < blocks_; ++b) {
            float* block = transfer_.at(2 * block_complex_ * b);
            for (int y = 0; y < height_; ++y)
                std::copy_n(rows.data() + 2 * (pitch_ * y + b * block_), 2 * block_, block + 2 * block_ * y);
            auto* data = reinterpret_cast<fftwf_complex*>(block);
            fftwf_execute_dft(columns_forward_.get(), data, data);
        }
        std::fill_n(spectrum_.at(0), spectrum_.size(), 0.0f);
    }

    void transform_rows(int channel)
    {
#pragma omp parallel num_threads(threads())
        {
            float* line = lines_.at(line_floats_ * omp_get_thread_num());
            std::fill(line + work().width, line + width_, 0.0f);
#pragma omp for
            for (int y = 0; y < work().height; ++y) {
                std::copy_n(input(channel, y), work().width, line);
                fftwf_execute_dft_r2c(rows_forward_.get(), line, spectrum_.complex_at(pitch_ * y));
            }
        }
    }

    void convolve_columns()
    {
        const std::size_t row_bytes = 2 * sizeof(float) * block_;
#pragma omp parallel for num_threads(threads())
        for (int b = 0; b < blocks_; ++b) {
            float* block = scratch_.at(2 * block_complex_ * omp_get_thread_num());
            for (int y = 0; y < work().height; ++y)
                std::memcpy(block + 2 * block_ * y, spectrum_.at(2 * (pitch_ * y + b * block_)), row_bytes);
            std::fill(block + 2 * block_ * work().height, block + 2 * block_complex_, 0.0f);
            auto* data = reinterpret_cast<fftwf_complex*>(block);
            fftwf_execute_dft(columns_forward_.get(), data, data);
            multiply(block, transfer_.at(2 * block_complex_ * b), block_complex_);
            fftwf_execute_dft(columns_inverse_.get(), data, data);
            for (int y = 0; y < work().height; ++y)
                std::memcpy(spectrum_.at(2 * (pitch_ * y + b * block_)), block + 2 * block_ * y, row_bytes);
        }
    }

    void inverse_rows(int channel)
    {
#pragma omp parallel num_threads(threads())
        {
            float* line = lines_.at(line_floats_ * omp_get_thread_num());
#pragma omp for
            for (int y = 0; y < work().height; ++y) {
                fftwf_execute_dft_c2r(rows_inverse_.get(), spectrum_.complex_at(pitch_ * y), line);
                std::copy_n(line, work().width, output(channel, y));
            }
        }
    }

    int width_, height_, block_, blocks_;
    std::size_t pitch_;  ///< complex; +16 keeps it off powers of two
    std::size_t line_floats_, block_complex_;
    Floats spectrum_, transfer_, lines_, scratch_;
    Plan rows_forward_, rows_inverse_, columns_forward_, columns_inverse_;
};

class Tiles : public FftwConvolution {
public:
    /// `side`: about that of a tile; its extent is fitted, so that the image is a whole number of tiles.
    Tiles(const Work& work, int threads, int side)
        : FftwConvolution(work, threads),
          width_(fitted(work, work.width, side)),
          height_(fitted(work, work.height, side)),
          valid_width_(width_ - work.psf + 1),
          valid_height_(height_ - work.psf + 1),
          before_(work.psf - 1 - work.origin),
          complexes_(static_cast<std::size_t>(width_ / 2 + 1) * height_),
          pitch_((2 * complexes_ + 15) / 16 * 16),
          tiles_(pitch_ * threads),
          spectra_(pitch_ * threads),
          transfer_(pitch_),
          forward_(make_forward()),
          inverse_(fftwf_plan_dft_c2r_2d(height_, width_, spectra_.complex_at(0), tiles_.at(0), kRigor))
    {
        tiles_.fill(wrapped_psf(work, width_, height_, 1.0 / width_ / height_));
        fftwf_execute_dft_r2c(forward_.get(), tiles_.at(0), transfer_.complex_at(0));
    }

    void start() override
    {
#pragma omp parallel for collapse(3) schedule(dynamic) num_threads(threads())
        for (int channel = 0; channel < work().channels; ++channel)
            for (int y = 0; y < work().height; y += valid_height_)
                for (int x = 0; x < work().width; x += valid_width_) convolve_tile(channel, x, y);
    }

    [[nodiscard]] std::string detail() const { return fmt::format("tiles of {}x{}", width_, height_); }

private:
    static int fitted(const Work& work, int image, int side)
    {
        const int valid = side - work.psf + 1;
        const int tiles = (image + valid - 1) / valid;
        const int needed = (image + tiles - 1) / tiles + work.psf - 1;
        // A multiple of 16: FFTW is fastest there.
        return 8 * good_size((needed + 7) / 8);
    }

    fftwf_plan make_forward()
    {
        fftwf_plan_with_nthreads(1);
        return fftwf_plan_dft_r2c_2d(height_, width_, tiles_.at(0), spectra_.complex_at(0), kRigor);
    }

    /// The outputs from (x, y) on. The tile's first sample is `before_` samples left of and above it.
    void convolve_tile(int channel, int x, int y)
    {
        float* tile = tiles_.at(pitch_ * omp_get_thread_num());
        float* spectrum = spectra_.at(pitch_ * omp_get_thread_num());
        load(channel, x - before_, y - before_, tile);
        fftwf_execute_dft_r2c(forward_.get(), tile, reinterpret_cast<fftwf_complex*>(spectrum));
        multiply(spectrum, transfer_.at(0), complexes_);
        fftwf_execute_dft_c2r(inverse_.get(), reinterpret_cast<fftwf_complex*>(spectrum), tile);
        const int columns = std::min(valid_width_, work().width - x);
        for (int j = 0; j < std::min(valid_height_, work().height - y); ++j)
            std::copy_n(tile + (before_ + j) * width_ + before_, columns, output(channel, y + j) + x);
    }

    /// Samples from (left, top) on, zeros outside the image.
    void load(int channel, int left, int top, float* tile) const
    {
        const int begin = std::clamp(-left, 0, width_);
        const int end = std::clamp(work().width - left, begin, width_);
        for (int j = 0; j < height_; ++j) {
            float* row = tile + j * width_;
            const int y = top + j;
            const bool inside = y >= 0 && y < work().height;
            std::fill(row, row + (inside ? begin : width_), 0.0f);
            if (!inside) continue;
            std::copy_n(input(channel, y) + left + begin, end - begin, row + begin);
            std::fill(row + end, row + width_, 0.0f);
        }
    }

    int width_, height_, valid_width_, valid_height_, before_;
    std::size_t complexes_, pitch_;  ///< of a tile's spectrum; floats from one thread's tile to the next
    Floats tiles_, spectra_, transfer_;
    Plan forward_, inverse_;
};

/// The fastest of `make(candidate)`.
template <class Kind>
std::unique_ptr<Kind> fastest(const std::vector<int>& candidates, const std::function<std::unique_ptr<Kind>(int)>& make)
{
    std::unique_ptr<Kind> best;
    double best_ms = 0;
    std::set<std::string> tried;
    for (const int candidate : candidates) {
        std::unique_ptr<Kind> kind = make(candidate);
        if (!tried.insert(kind->detail()).second) continue;
        const double ms = quick_ms(*kind);
        if (!best || ms < best_ms) {
            best = std::move(kind);
            best_ms = ms;
        }
    }
    return best;
}

/// Sides of tiles worth trying: their arithmetic an output is at most twice that of the best.
std::vector<int> tile_candidates(int psf)
{
    const auto cost = [psf](int tile) {
        const double valid = std::max(tile - psf + 1, 0);
        return valid < 1 ? HUGE_VAL : tile * tile * std::log2(tile) / (valid * valid);
    };
    const std::vector<int> all = {32, 48, 64, 96, 128, 192, 256, 320, 384, 512, 640, 768, 1024, 1536, 2048};
    double minimum = HUGE_VAL;
    for (const int tile : all) minimum = std::min(minimum, cost(tile));
    std::vector<int> worth;
    for (const int tile : all)
        if (cost(tile) <= 2 * minimum) worth.push_back(tile);
    return worth;
}

void run(int argc, char** argv)
{
    const Options options = parse_options(argc, argv, "Times FFTW at clconv's work: plain, split, tiles");
    fftwf_init_threads();
    // A wisdom file that is not there or does not load only costs time.
    if (!options.wisdom.empty()) fftwf_import_wisdom_from_filename(options.wisdom.c_str());
    const Work work = make_work(options);
    const int threads = options.threads;
    const auto detail = [&](const auto& kind) { return fmt::format("{}, {} threads", kind.detail(), threads); };
    if (wants(options, "plain")) {
        Plain plain(work, threads);
        report({"fftw", "plain", detail(plain)}, options, work, plain);
    }
    if (wants(options, "split")) {
        const auto split =
            fastest<Split>({4, 8, 16, 32}, [&](int block) { return std::make_unique<Split>(work, threads, block); });
        report({"fftw", "split", detail(*split)}, options, work, *split);
    }
    if (wants(options, "tiles")) {
        const auto tiles = fastest<Tiles>(tile_candidates(work.psf),
                                          [&](int tile) { return std::make_unique<Tiles>(work, threads, tile); });
        report({"fftw", "tiles", detail(*tiles)}, options, work, *tiles);
    }
    if (!options.wisdom.empty()) fftwf_export_wisdom_to_filename(options.wisdom.c_str());
}

}  // namespace
}  // namespace clconv::peers

int main(int argc, char** argv) { return clconv::peers::guarded_main("fftw_peer", clconv::peers::run, argc, argv); }
