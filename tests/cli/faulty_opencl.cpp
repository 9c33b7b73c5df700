// SPDX-License-Identifier: Apache-2.0
// An OpenCL whose calls fail on request. Loaded before the real one (LD_PRELOAD), it stands for a device
// that is lost or out of memory, or for a GPU whose driver takes its time.
//
// FAULTY_OPENCL: "CALL FIRST LAST CODE", several with commas between: calls number FIRST to LAST (from 1) of CALL fail
// with CODE. CALL: launch, buffer, context, pin (a buffer over the host's memory). A range that is over, or no
// variable, changes nothing.
//
// SLOW_GPU: seconds that it takes to create a context. All devices are GPUs then, and the end of the process says on
// standard error how often memory was pinned: "pins: 7".
//
// SLOW_BUILD: seconds that it takes to build a program. A line on standard error says when one begins.
//
// SLOW_LAUNCH: seconds that the first launch of the process waits before it begins, as where a driver compiles a kernel
// then. A line on standard error says when.
//
// Only the process that it was loaded into has it: what that starts (PoCL's linker, clconv-compile) finds no
// LD_PRELOAD, and so neither counts calls of its own nor speaks.

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <dlfcn.h>

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sstream>
#include <string>
#include <thread>

namespace {

/// The error that the call number `number` of `name` is to fail with.
cl_int planned_error(const std::string& name, int number)
{
    const char* const plan = std::getenv("FAULTY_OPENCL");
    std::istringstream faults(plan == nullptr ? "" : plan);
    for (std::string fault; std::getline(faults, fault, ',');) {
        std::istringstream words(fault);
        std::string call;
        int first = 0;
        int last = 0;
        cl_int code = CL_SUCCESS;
        words >> call >> first >> last >> code;
        if (call == name && first <= number && number <= last) return code;
    }
    return CL_SUCCESS;
}

const char* slow_gpu() { return std::getenv("SLOW_GPU"); }

struct Pins {
    /// Shared with what this process forks: the tool works in a child, which calls no functions at its end.
    std::atomic<int>& count =
        *new (mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
            std::atomic<int>(0);
    Pins();
} pins;

void report_pins()
{
    if (slow_gpu() != nullptr) std::fprintf(stderr, "pins: %d\n", pins.count.load());
}

/// However the tool ends.
Pins::Pins()
{
    std::atexit(report_pins);
    std::at_quick_exit(report_pins);
}

/// What this process starts is to find the real OpenCL, and to keep silent.
__attribute__((constructor)) void spare_children() { unsetenv("LD_PRELOAD"); }

template <class Function>
Function* real(const char* name)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// What is enqueued from now on waits so long.
void hold_up(cl_command_queue queue, std::chrono::duration<double> time)
{
    cl_context context = nullptr;
    cl_int error = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, nullptr);
    cl_event held = clCreateUserEvent(context, &error);
    error = clEnqueueBarrierWithWaitList(queue, 1, &held, nullptr);
    std::fputs("slow launch: begins\n", stderr);
    std::thread([held, time] {
        std::this_thread::sleep_for(time);
        clSetUserEventStatus(held, CL_COMPLETE);
    }).detach();
}

}  // namespace

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, cl_uint events, const cl_event* wait,
                              cl_event* event)
{
    static std::atomic<int> calls = 0;
    if (const cl_int error = planned_error("launch", ++calls); error != CL_SUCCESS) return error;
    if (const char* const seconds = std::getenv("SLOW_LAUNCH"); seconds != nullptr && calls == 1)
        hold_up(queue, std::chrono::duration<double>(std::atof(seconds)));
    return real<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(queue, kernel, dimensions, offset, global,
                                                                            local, events, wait, event);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* error)
{
    static std::atomic<int> buffers = 0;
    const bool pins_memory = slow_gpu() != nullptr && (flags & CL_MEM_USE_HOST_PTR) != 0;
    const cl_int planned = pins_memory ? planned_error("pin", ++pins.count) : planned_error("buffer", ++buffers);
    if (planned != CL_SUCCESS) {
        if (error != nullptr) *error = planned;
        return nullptr;
    }
    return real<decltype(clCreateBuffer)>("clCreateBuffer")(context, flags, size, host, error);
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
                           void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*), void* user,
                           cl_int* error)
{
    static std::atomic<int> calls = 0;
    if (const char* const seconds = slow_gpu())
        std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
    if (const cl_int planned = planned_error("context", ++calls); planned != CL_SUCCESS) {
        if (error != nullptr) *error = planned;
        return nullptr;
    }
    return real<decltype(clCreateContext)>("clCreateContext")(properties, count, devices, notify, user, error);
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void(CL_CALLBACK* notify)(cl_program, void*), void* user)
{
    if (const char* const seconds = std::getenv("SLOW_BUILD")) {
        std::fputs("slow build: begins\n", stderr);
        std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
    }
    return real<decltype(clBuildProgram)>("clBuildProgram")(program, count, devices, options, notify, user);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value, size_t* needed)
{
    const cl_int error = real<decltype(clGetDeviceInfo)>("clGetDeviceInfo")(device, name, size, value, needed);
    if (slow_gpu() != nullptr && name == CL_DEVICE_TYPE && value != nullptr)
        *static_cast<cl_device_type*>(value) = CL_DEVICE_TYPE_GPU;
    return error;
}
}
