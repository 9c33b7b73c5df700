// SPDX-License-Identifier: Apache-2.0
#include "encoders/picture_uri.h"

#include "base/errors.h"
#include "codecs/file_header.h"
#include "encoders/encoder.h"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/strutil.h>

#include <string_view>
#include <vector>

namespace clconv {

std::string picture_uri(const Picture& picture)
{
    oiio::FileHeader header(picture.extent.width, picture.extent.height, 3, OIIO::TypeDesc::UINT8);
    constexpr int quality = 88;
    header.attribute("CompressionQuality", quality);
    header.attribute("jpeg:subsampling", "4:4:4");
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput stream(bytes);
    const auto output = oiio::create_output("jpeg", header, oiio::Writer::plain);
    const auto check = [&](bool is_done) {
        if (!is_done) throw InputError("a picture for the page cannot be encoded: " + output->take_error());
    };
    if (!output) throw InputError("a picture for the page cannot be encoded: the library has no JPEG");
    output->set_stream(&stream);
    check(output->open("picture.jpg", {header}));
    check(output->write_image(OIIO::TypeDesc::UINT8, reinterpret_cast<const std::byte*>(picture.rgb.data())));
    check(output->close());
    const std::string_view encoded(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return "data:image/jpeg;base64," + OIIO::Strutil::base64_encode(OIIO::string_view(encoded.data(), encoded.size()));
}

}  // namespace clconv
