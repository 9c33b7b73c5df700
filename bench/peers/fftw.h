// SPDX-License-Identifier: Apache-2.0
// FFTW's memory and plans as values that free themselves.
#pragma once

#include <fftw3.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace clconv::peers {

/// Zeroed memory with the alignment that FFTW's plans expect.
class Floats {
public:
    explicit Floats(std::size_t count) : data_(fftwf_alloc_real(count)), count_(count)
    {
        if (!data_) throw std::bad_alloc();
        std::fill_n(data_.get(), count, 0.0f);
    }
    [[nodiscard]] float* at(std::size_t index) { return data_.get() + index; }
    [[nodiscard]] fftwf_complex* complex_at(std::size_t index)
    {
        return reinterpret_cast<fftwf_complex*>(data_.get() + 2 * index);
    }
    [[nodiscard]] std::size_t size() const { return count_; }
    void fill(const std::vector<float>& values) { std::copy(values.begin(), values.end(), data_.get()); }

private:
    struct Free {
        void operator()(float* block) const { fftwf_free(block); }
    };
    std::unique_ptr<float, Free> data_;
    std::size_t count_;
};

/// An FFTW plan that destroys itself.
class Plan {
public:
    explicit Plan(fftwf_plan plan) : plan_(plan)
    {
        if (!plan) throw std::runtime_error("FFTW has no plan for this size");
    }
    ~Plan() { fftwf_destroy_plan(plan_); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    [[nodiscard]] fftwf_plan get() const { return plan_; }

private:
    fftwf_plan plan_;
};

constexpr unsigned kRigor = FFTW_MEASURE;  ///< of all plans

}  // namespace clconv::peers
