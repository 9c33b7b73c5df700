// SPDX-License-Identifier: Apache-2.0
#include "encoders/picture_uri.h"

#include "base/errors.h"
#include "codecs/openimageio.h"

#include <OpenImageIO/strutil.h>

#include <string_view>
#include <vector>

namespace clconv {

std::string picture_uri(const Picture& picture)
{
    OIIO::ImageSpec header(picture.extent.width, picture.extent.height, 3, OIIO::TypeDesc::UINT8);
    header.attribute("Compression", "jpeg:88");
    header.attribute("jpeg:subsampling", "4:4:4");
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput stream(bytes);
    const auto output = OIIO::ImageOutput::create("jpeg");
    const auto check = [&](bool is_done) {
        if (!is_done) throw InputError("a picture for the page cannot be encoded: " + output->geterror());
    };
    if (!output) throw InputError("a picture for the page cannot be encoded: the library has no JPEG");
    check(output->set_ioproxy(&stream));
    check(output->open("picture.jpg", header));
    check(output->write_image(OIIO::TypeDesc::UINT8, picture.rgb.data()));
    check(output->close());
    const std::string_view encoded(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return "data:image/jpeg;base64," + OIIO::Strutil::base64_encode(encoded);
}

}  // namespace clconv
