// SPDX-License-Identifier: Apache-2.0
// Blurs a file of raw floats: blur IN WIDTH HEIGHT PSF OUT, such as blur in.raw 1920 1080 gaussian:2.5 out.raw
#include <clconv/clconv.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <vector>

int main(int count, char** words)
{
    if (count != 6) {
        std::cerr << "blur IN WIDTH HEIGHT PSF OUT\n";
        return 2;
    }
    const int width = std::atoi(words[2]);
    const int height = std::atoi(words[3]);
    if (width < 1 || height < 1) {
        std::cerr << "WIDTH and HEIGHT are 1 or more\n";
        return 2;
    }
    std::vector<float> image(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<float> result(image.size());
    const auto bytes = static_cast<std::streamsize>(image.size() * sizeof(float));
    if (!std::ifstream(words[1], std::ios::binary).read(reinterpret_cast<char*>(image.data()), bytes)) {
        std::cerr << words[1] << ": cannot be read, or has fewer samples\n";
        return 1;
    }
    try {
        clconv::Device device;
        clconv::Convolver blur(device, clconv::Psf(words[4]), {{"border", "mirror"}});
        const clconv::Report report = blur.run(clconv::interleaved(image.data(), width, height),
                                               clconv::interleaved(result.data(), width, height));
        std::cout << device.info().name << "\n" << report.plan;
    } catch (const clconv::Error& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    std::ofstream out(words[5], std::ios::binary);
    if (!out.write(reinterpret_cast<const char*>(result.data()), bytes).flush()) {
        std::cerr << words[5] << ": cannot be written\n";
        return 1;
    }
}
