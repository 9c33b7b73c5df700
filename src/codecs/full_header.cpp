// SPDX-License-Identifier: Apache-2.0
#include "codecs/full_header.h"

#include "codecs/codec_library.h"

#include <memory>
#include <utility>

namespace clconv::oiio {

FileHeader full_header(const Metadata& metadata)
{
    FileHeader full = metadata.spec;
    if (!metadata.is_abridged) return full;
    CodecLibrary& library = codec_library();
    const std::unique_ptr<Decoder> input = library.open(metadata.file, {});
    if (!input || input->format() != metadata.format) {
        static_cast<void>(library.take_error());
        return full;
    }
    full.extra_attribs = input->header().extra_attribs;
    if (metadata.format == "png" && !metadata.blocks.exif.empty()) library.decode_exif(metadata.blocks.exif, full);
    for (const OIIO::ParamValue& known : metadata.spec.extra_attribs) full.extra_attribs.add_or_replace(known, false);
    return full;
}

}  // namespace clconv::oiio
