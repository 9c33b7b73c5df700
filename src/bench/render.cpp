// SPDX-License-Identifier: Apache-2.0
#include "bench/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clconv {
namespace {

double gb_s(std::uint64_t bytes, double ms) { return 1e-6 * static_cast<double>(bytes) / ms; }

}  // namespace

double floor_ms(const Measurement& measurement, double copy_gb_s)
{
    return 1e-6 * static_cast<double>(measurement.bytes) / copy_gb_s;
}

std::string render_table(const BenchReport& report)
{
    std::string text =
        fmt::format("{} ({}), copy {:.0f} GB/s\n", report.device.name, report.device.driver, report.copy_gb_s);
    if (!report.deviations.empty()) text += fmt::format("unlike clconv run's defaults: {}\n", report.deviations);
    for (const Measurement& m : report.cases) {
        const double floor = floor_ms(m, report.copy_gb_s);
        text += fmt::format("\n{}  chosen   by {}\n", describe(m.plan), m.plan_origin);
        text += fmt::format(
            "  median {:.4f} ms, min {:.4f}, MAD {:.4f}; latency {:.4f}; floor {:.4f} ({:.0f} %); error {:.1e}; "
            "ready in {:.0f} ms{}\n",
            m.ms.median, m.ms.min, m.ms.mad, m.latency_ms, floor, 100 * floor / m.ms.median, m.relative_error,
            m.build_ms,
            (m.images > 1 ? fmt::format("; {} images a launch", m.images) : "") +
                (m.queues > 1 ? fmt::format("; {} queues", m.queues) : ""));
        for (const MeasuredPass& pass : m.passes)
            text += fmt::format("    {:<10} {:.4f} ms  {:>9.2f} MB  {:>7.1f} GB/s  {:3.0f} % of copy\n", pass.name,
                                pass.ms, static_cast<double>(pass.bytes) * 1e-6, gb_s(pass.bytes, pass.ms),
                                100 * gb_s(pass.bytes, pass.ms) / report.copy_gb_s);
        if (!m.right())
            text += fmt::format("  WRONG: relative error {:.2e}, allowed {:.2e}; these times mean nothing\n",
                                m.relative_error, m.allowed_error);
    }
    return text;
}

std::string render_json(const BenchReport& report)
{
    nlohmann::ordered_json json;
    json["device"] = report.device.name;
    json["driver"] = report.device.driver;
    json["copy_gb_s"] = report.copy_gb_s;
    json["deviations"] = report.deviations;
    json["cases"] = nlohmann::ordered_json::array();
    for (const Measurement& m : report.cases) {
        const Problem& p = m.plan.problem;
        nlohmann::ordered_json passes = nlohmann::ordered_json::array();
        for (const MeasuredPass& pass : m.passes)
            passes.push_back(
                {{"name", pass.name}, {"ms", pass.ms}, {"bytes", pass.bytes}, {"gb_s", gb_s(pass.bytes, pass.ms)}});
        const double floor = floor_ms(m, report.copy_gb_s);
        json["cases"].push_back({{"size", to_string(p.image)},
                                 {"channels", p.channels},
                                 {"psf_size", to_string(p.psf)},
                                 {"type", name_of(p.input)},
                                 {"border", name_of(p.border)},
                                 {"method", name_of(m.plan.method())},
                                 {"precision", name_of(p.precision)},
                                 {"plan", describe(m.plan)},
                                 {"plan_origin", m.plan_origin},
                                 {"images", m.images},
                                 {"queues", m.queues},
                                 {"ms", {{"median", m.ms.median}, {"min", m.ms.min}, {"mad", m.ms.mad}}},
                                 {"latency_ms", m.latency_ms},
                                 {"passes", passes},
                                 {"floor_ms", floor},
                                 {"floor_fraction", floor / m.ms.median},
                                 {"relative_error", m.relative_error},
                                 {"allowed_error", m.allowed_error},
                                 {"right", m.right()}});
    }
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace clconv
