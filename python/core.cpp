// SPDX-License-Identifier: Apache-2.0
// clconv._core: libclconv's interface for Python, as it is. The package clconv adds names of SciPy and astropy, default
// devices and prepared work (clconv/__init__.py). Images here are arrays (height, width) or (height, width, channels).
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <clconv/clconv.hpp>
#include <clconv/opencl.hpp>

#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

struct TypeName {
    clconv::SampleType type;
    char kind;
    int bytes;
};
constexpr std::array kTypes = {
    TypeName{clconv::SampleType::u8, 'u', 1},      TypeName{clconv::SampleType::u16, 'u', 2},
    TypeName{clconv::SampleType::u32, 'u', 4},     TypeName{clconv::SampleType::i8, 'i', 1},
    TypeName{clconv::SampleType::i16, 'i', 2},     TypeName{clconv::SampleType::i32, 'i', 4},
    TypeName{clconv::SampleType::half, 'f', 2},    TypeName{clconv::SampleType::float32, 'f', 4},
    TypeName{clconv::SampleType::float64, 'f', 8},
};

clconv::SampleType type_of(const py::dtype& dtype)
{
    const auto name = [&] { return std::string(py::str(static_cast<const py::object&>(dtype))); };
    if (!dtype.attr("isnative").cast<bool>())
        throw py::type_error("samples are " + name() + ", which is not in the machine's byte order: use astype()");
    for (const TypeName& row : kTypes)
        if (row.kind == dtype.kind() && row.bytes == dtype.itemsize()) return row.type;
    throw py::type_error(
        "samples are " + name() +
        "; they can be uint8, int8, uint16, int16, uint32, int32, float16, float32 or float64: use astype()");
}

/// The length of an axis. Throws ValueError if the library's sizes cannot hold it.
int length_of(const py::array& array, int axis)
{
    if (array.shape(axis) > std::numeric_limits<int>::max())
        throw clconv::InvalidProblem("axis " + std::to_string(axis) + " has " + std::to_string(array.shape(axis)) +
                                     " elements, and at most " + std::to_string(std::numeric_limits<int>::max()) +
                                     " are possible");
    return static_cast<int>(array.shape(axis));
}

/// The view of an array (height, width) or (height, width, channels) in the machine's byte order.
clconv::ConstView view_of(const py::array& array, int alpha = -1)
{
    if (array.ndim() != 2 && array.ndim() != 3)
        throw clconv::InvalidProblem("an image has 2 axes, or 3 with channels, not " + std::to_string(array.ndim()));
    clconv::ConstView view;
    view.data = array.data();
    view.type = type_of(array.dtype());
    view.height = length_of(array, 0);
    view.width = length_of(array, 1);
    view.y_step = array.strides(0);
    view.x_step = array.strides(1);
    if (array.ndim() == 3) {
        view.channels = length_of(array, 2);
        view.channel_step = array.strides(2);
    }
    view.alpha = alpha;
    return view;
}

clconv::View view_to_write(py::array& array, int alpha)
{
    const clconv::ConstView view = view_of(array, alpha);
    return {array.mutable_data(), view.type,   view.width,        view.height, view.channels,
            view.x_step,          view.y_step, view.channel_step, view.alpha};
}

std::string text_of(py::handle value)
{
    if (!py::isinstance<py::tuple>(value) && !py::isinstance<py::list>(value)) return py::str(value);
    std::string text;
    for (const py::handle part : value) text += (text.empty() ? "" : ",") + std::string(py::str(part));
    return text;
}

/// Options by name. None: the option is not given; a tuple or list: its members behind one another, with commas, or, of
/// an option that is given again and again, one after the other.
clconv::Options options_of(const py::dict& values)
{
    clconv::Options options;
    for (const auto& [key, value] : values) {
        if (value.is_none()) continue;
        auto name = key.cast<std::string>();
        if (name.ends_with('_')) name.pop_back();  // lambda_: Python has a word of its own
        const bool is_several = py::isinstance<py::tuple>(value) || py::isinstance<py::list>(value);
        if (py::isinstance<py::bool_>(value))
            options.set(name, value.cast<bool>());
        else if (name == "decide" && is_several)
            for (const py::handle decision : value) options.set(name, std::string(py::str(decision)));
        else
            options.set(name, text_of(value));
    }
    return options;
}

template <class Value>
Value named(const std::string& name, std::initializer_list<std::pair<const char*, Value>> values)
{
    for (const auto& [known, value] : values)
        if (name == known) return value;
    throw clconv::InvalidProblem("'" + name + "' is none of the library's parts");
}

clconv::Operation operation_of(const std::string& name)
{
    return named<clconv::Operation>(name, {{"convolve", clconv::Operation::convolve},
                                           {"deconvolve", clconv::Operation::deconvolve},
                                           {"bloom", clconv::Operation::bloom}});
}

clconv::Part part_of(const std::string& name)
{
    return named<clconv::Part>(name, {{"device", clconv::Part::device},
                                      {"psf", clconv::Part::psf},
                                      {"convolve", clconv::Part::convolve},
                                      {"deconvolve", clconv::Part::deconvolve},
                                      {"bloom", clconv::Part::bloom}});
}

/// The exceptions of clconv/_errors.py.
void translate_errors(std::exception_ptr thrown)
{
    const auto raise = [](const char* name, const std::exception& error) {
        const py::object type = py::module_::import("clconv._errors").attr(name);
        PyErr_SetString(type.ptr(), error.what());
    };
    try {
        if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const clconv::InvalidProblem& error) {
        raise("InvalidProblem", error);
    } catch (const clconv::InputError& error) {
        raise("InputError", error);
    } catch (const clconv::BuildError& error) {
        raise("BuildError", error);
    } catch (const clconv::DeviceError& error) {
        raise("DeviceError", error);
    } catch (const clconv::Error& error) {
        raise("InternalError", error);
    }
}

/// Throws DeviceError in a process that was forked after its parent had used OpenCL: the threads of the parent's driver
/// are not there, and a call would wait for them for ever.
void expect_no_fork()
{
    static std::atomic<pid_t> user = 0;
    const pid_t process = ::getpid();
    pid_t known = 0;
    if (!user.compare_exchange_strong(known, process) && known != process)
        throw clconv::DeviceError(
            "OpenCL was used before this process was forked, and its drivers do not work in forked processes; start "
            "processes by 'spawn', such as with multiprocessing.get_context('spawn')");
}

bool is_ending()
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

/// Other threads of Python run while this exists.
///
/// The interpreter may end meanwhile, if this is a daemon thread. Before 3.14, Python then ends the thread by
/// pthread_exit() when it asks for the interpreter. That unwinds the stack, which must not leave a destructor: the
/// process would abort. So the thread sleeps here until the process ends, as it does since 3.14.
class OthersRun {
public:
    OthersRun() : thread_(PyEval_SaveThread()) {}
    ~OthersRun()
    {
        if (is_ending()) sleep_for_ever();
        try {
            PyEval_RestoreThread(thread_);
        } catch (...) {  // pthread_exit(): the end began while this thread waited for the interpreter
            sleep_for_ever();
        }
    }
    OthersRun(const OthersRun&) = delete;
    OthersRun& operator=(const OthersRun&) = delete;

private:
    [[noreturn]] static void sleep_for_ever()
    {
        while (true) ::pause();
    }

    PyThreadState* thread_;
};

/// (height, width), or (height, width, channels) if there are several channels.
py::array_t<double> samples_of(const clconv::Psf& psf)
{
    const auto bytes = static_cast<py::ssize_t>(sizeof(double));
    const py::ssize_t width = psf.width();
    const py::ssize_t height = psf.height();
    if (psf.channels() == 1) return py::array_t<double>({height, width}, psf.samples().data());
    return py::array_t<double>({height, width, static_cast<py::ssize_t>(psf.channels())},
                               {width * bytes, bytes, width * height * bytes}, psf.samples().data());
}

template <class Convolver>
py::tuple result_size(const Convolver& convolver, int height, int width)
{
    const clconv::Size size = convolver.result_size(width, height);
    return py::make_tuple(size.height, size.width);
}

clconv::Report run(clconv::Convolver& convolver, const py::array& image, py::array result, int alpha)
{
    expect_no_fork();
    const clconv::ConstView from = view_of(image, alpha);
    const clconv::View to = view_to_write(result, alpha);
    const OthersRun others_run;
    return convolver.run(from, to);
}

clconv::Device open_device(const py::object& device, const py::kwargs& options)
{
    expect_no_fork();
    clconv::Options all = options_of(options);
    if (!device.is_none()) all.set("device", text_of(device));
    const OthersRun others_run;
    return clconv::Device(all);
}

/// OpenCL's objects are numbers here, as in `int_ptr` of pyopencl's.
template <class Handle>
Handle handle_of(std::uintptr_t number)
{
    return reinterpret_cast<Handle>(number);  // NOLINT(performance-no-int-to-ptr)
}

clconv::BufferView buffer_view(std::uintptr_t memory, const py::dtype& dtype, const std::vector<int>& shape, int alpha)
{
    if (shape.size() != 2 && shape.size() != 3)
        throw clconv::InvalidProblem("an image has 2 axes, or 3 with channels, not " + std::to_string(shape.size()));
    return {handle_of<cl_mem>(memory), type_of(dtype), shape[1], shape[0], shape.size() == 3 ? shape[2] : 1, alpha};
}

/// The event that is complete with the result, for the caller to release.
std::uintptr_t enqueue(clconv::BufferConvolver& convolver, std::uintptr_t queue, const clconv::BufferView& image,
                       const clconv::BufferView& result, const std::vector<std::uintptr_t>& wait)
{
    expect_no_fork();
    std::vector<cl_event> events;
    for (const std::uintptr_t event : wait) events.push_back(handle_of<cl_event>(event));
    const OthersRun others_run;
    const cl_event done = convolver.enqueue(handle_of<cl_command_queue>(queue), image, result, events);
    return reinterpret_cast<std::uintptr_t>(done);
}

clconv::Device open_device_in(std::uintptr_t context, std::uintptr_t id)
{
    expect_no_fork();
    const OthersRun others_run;
    return clconv::device_in(handle_of<cl_context>(context), handle_of<cl_device_id>(id));
}

void add_information(py::module_& module)
{
    py::class_<clconv::DeviceInfo>(module, "DeviceInfo", "An OpenCL device of this machine.")
        .def_readonly("index", &clconv::DeviceInfo::index, "What selects it: \"P:D\".")
        .def_readonly("name", &clconv::DeviceInfo::name)
        .def_readonly("platform", &clconv::DeviceInfo::platform)
        .def_readonly("vendor", &clconv::DeviceInfo::vendor)
        .def_readonly("driver", &clconv::DeviceInfo::driver)
        .def_readonly("version", &clconv::DeviceInfo::version)
        .def_readonly("type", &clconv::DeviceInfo::type, "\"gpu\", \"cpu\", \"accelerator\" or \"other\".")
        .def_readonly("memory", &clconv::DeviceInfo::memory, "Bytes.")
        .def_readonly("has_doubles", &clconv::DeviceInfo::has_doubles, "Whether precision=\"double\" works there.")
        .def("__repr__", [](const clconv::DeviceInfo& info) {
            return "<clconv.DeviceInfo " + info.index + " " + info.name + ", " + info.type + ">";
        });
    py::class_<clconv::OptionInfo>(module, "OptionInfo", "An option, as `clconv --help` shows it.")
        .def_readonly("name", &clconv::OptionInfo::name)
        .def_readonly("value", &clconv::OptionInfo::value, "What it takes; empty: True or False.")
        .def_readonly("default_value", &clconv::OptionInfo::default_value, "The default, if one can be written.")
        .def_readonly("help", &clconv::OptionInfo::help)
        .def("__repr__", [](const clconv::OptionInfo& info) {
            return "<clconv.OptionInfo " + info.name + (info.value.empty() ? "" : " " + info.value) + ">";
        });
    py::class_<clconv::Report>(module, "Report", "How a result was made.")
        .def_readonly("plan", &clconv::Report::plan, "The plan, in words.")
        .def_readonly("check", &clconv::Report::check,
                      "Of the plan's first result: \"passed\", \"passed before\", \"undecided\", \"off\".")
        .def_readonly("warnings", &clconv::Report::warnings)
        .def_readonly("clamped", &clconv::Report::clamped, "How many results unsigned integers could not hold.")
        .def_readonly("residuals", &clconv::Report::residuals, "Of Richardson-Lucy, before each iteration.")
        .def_readonly("seconds", &clconv::Report::seconds, "From call to return.")
        .def("__repr__", [](const clconv::Report& report) {
            return "<clconv.Report check " + report.check + ", " + std::to_string(report.seconds) + " s>";
        });
}

void add_objects(py::module_& module)
{
    py::class_<clconv::Device>(module, "Device", R"(An open OpenCL device, with its programs.

Opening a GPU takes up to two seconds, so keep it. Calls on one device run one after another.

Parameters
----------
device : str, optional
    An index of `clconv.devices()`, a type ("gpu", "cpu"), or a part of a name. Without: the environment's
    CLCONV_DEVICE, else the best one.
**options
    `clconv.options("device")` lists them: device_memory="2G", no_cache=True.
)")
        .def(py::init(&open_device), py::arg("device") = py::none())
        .def_property_readonly("info", &clconv::Device::info, "The device's `DeviceInfo`.")
        .def("__repr__", [](const clconv::Device& device) {
            return "<clconv.Device " + device.info().index + " " + device.info().name + ">";
        });
    py::class_<clconv::Psf>(module, "Psf", "A point-spread function; `clconv.psf` makes it.")
        .def(py::init(
            [](const std::string& words, const py::dict& options) { return clconv::Psf(words, options_of(options)); }))
        .def(py::init([](const py::array& samples, const py::dict& options) {
            return clconv::Psf(view_of(samples), options_of(options));
        }))
        .def_property_readonly(
            "shape",
            [](const clconv::Psf& psf) -> py::tuple {
                if (psf.channels() == 1) return py::make_tuple(psf.height(), psf.width());
                return py::make_tuple(psf.height(), psf.width(), psf.channels());
            },
            "(height, width), or (height, width, channels).")
        .def_property_readonly("origin_x", &clconv::Psf::origin_x, "The column that lands on the output pixel.")
        .def_property_readonly("origin_y", &clconv::Psf::origin_y, "The row that lands on the output pixel.")
        .def_property_readonly("samples", &samples_of, "The weights: a new array of `shape`, float64.")
        .def_property_readonly("warnings", &clconv::Psf::warnings, "What a user should know.")
        .def("__repr__", [](const clconv::Psf& psf) {
            return "<clconv.Psf " + std::to_string(psf.height()) + " x " + std::to_string(psf.width()) + ", origin x " +
                   std::to_string(psf.origin_x()) + ", y " + std::to_string(psf.origin_y()) + ">";
        });
    py::class_<clconv::Convolver>(module, "Convolver")
        .def(py::init([](const clconv::Device& device, const clconv::Psf& psf, const py::dict& options,
                         const std::string& operation) {
            expect_no_fork();
            return clconv::Convolver(device, psf, options_of(options), operation_of(operation));
        }))
        .def("result_size", &result_size<clconv::Convolver>)
        .def("run", &run)
        .def("plan",
             [](const clconv::Convolver& convolver, const py::array& image, const py::dtype& result, int alpha) {
                 const clconv::ConstView view = view_of(image, alpha);
                 const clconv::SampleType type = type_of(result);
                 const OthersRun others_run;
                 return convolver.plan(view, type);
             });
}

/// Images in OpenCL's memory.
void add_buffers(py::module_& module)
{
    module.def("device_in", &open_device_in, "A device, opened in a context; both as numbers.");
    py::class_<clconv::BufferView>(module, "BufferView").def(py::init(&buffer_view));
    py::class_<clconv::BufferConvolver>(module, "BufferConvolver")
        .def(py::init([](const clconv::Device& device, const clconv::Psf& psf, const py::dict& options) {
            expect_no_fork();
            return clconv::BufferConvolver(device, psf, options_of(options));
        }))
        .def("result_size", &result_size<clconv::BufferConvolver>)
        .def("enqueue", &enqueue);
}

}  // namespace

PYBIND11_MODULE(_core, module)
{
    module.doc() = "libclconv's interface, as it is; use the package clconv.";
    py::register_exception_translator(&translate_errors);
    add_information(module);
    add_objects(module);
    add_buffers(module);
    module.def("version", &clconv::version, "The library's version.");
    const auto devices = [] {
        expect_no_fork();
        return clconv::devices();
    };
    module.def("devices", devices, R"(All OpenCL devices, in the loader's order.

Returns
-------
list of DeviceInfo
)");
    module.def(
        "options", [](const std::string& part) { return clconv::options(part_of(part)); }, py::arg("part"),
        R"(The options of a part, from the table that `clconv --help` shows.

Parameters
----------
part : {"device", "psf", "convolve", "deconvolve", "bloom"}

Returns
-------
list of OptionInfo

Examples
--------
>>> import clconv
>>> [option.name for option in clconv.options("device")]
['device', 'device-memory', 'no-cache']
)");
}
