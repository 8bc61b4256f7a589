import CExiv2

/// The entries of pictures, as Exiv2 names them: `Exif.Photo.DateTimeOriginal`.
enum Exif {
    /// The names of all entries; nil where Exiv2 cannot read the file.
    static func keys(_ file: UnsafeRawBufferPointer) -> [String]? {
        var keys: [String] = []
        let isRead = withUnsafeMutablePointer(to: &keys) { list in
            exiv2_keys(
                file.assumingMemoryBound(to: UInt8.self).baseAddress, file.count,
                { key, context in
                    guard let key, let context else { return }
                    context.assumingMemoryBound(to: [String].self).pointee
                        .append(String(cString: key))
                }, list)
        }
        return isRead == 1 ? keys : nil
    }

    /// The file with those entries only that are kept; nil where Exiv2 cannot write it.
    static func rewritten(_ bytes: [UInt8], _ kind: MediaKind) -> [UInt8]? {
        var result: UnsafeMutablePointer<UInt8>?
        var count = 0
        let isWritten = bytes.withUnsafeBufferPointer { file in
            kind == .tiff
                ? exiv2_rewrite(
                    file.baseAddress, file.count,
                    { key in key.map { Exif.keepsInTIFF(String(cString: $0)) } == true ? 1 : 0 },
                    &result, &count)
                : exiv2_rewrite(
                    file.baseAddress, file.count,
                    { key in key.map { Exif.settings.contains(String(cString: $0)) } == true ? 1 : 0
                    },
                    &result, &count)
        }
        guard isWritten == 1, let result else { return nil }
        defer { exiv2_free(result) }
        return Array(UnsafeBufferPointer(start: result, count: count))
    }

    /// Whether an entry may stay in a file of this kind.
    static func keeps(_ key: String, _ kind: MediaKind) -> Bool {
        kind == .tiff ? keepsInTIFF(key) : settings.contains(key)
    }

    /// In TIFF the entries also say how the picture is stored, so there the list is of what must go.
    private static func keepsInTIFF(_ key: String) -> Bool {
        let parts = key.split(separator: ".")
        guard parts.count == 3, parts[0] == "Exif" else { return false }
        let isStructure = ["Image", "Image2", "Image3", "SubImage1", "SubImage2", "SubImage3"]
            .contains(String(parts[1]))
        return settings.contains(key) || (isStructure && !texts.contains(String(parts[2])))
    }

    /// Entries of a TIFF file that hold texts, other formats or pointers to such.
    private static let texts: Set<String> = [
        "GPSTag", "XMLPacket", "IPTCNAA", "ImageResources", "ImageDescription", "DocumentName",
        "PageName", "HostComputer", "XPTitle", "XPComment", "XPAuthor", "XPKeywords", "XPSubject",
        "DNGPrivateData", "OriginalRawFileName", "OriginalRawFileData", "ImageHistory",
        "ImageSourceData", "Copyright", "Artist",
    ]

    /// Entries that may say a place, by their names: for kinds that cannot be written.
    static func maySayPlace(_ key: String) -> Bool {
        let signs = ["GPS", "Location", "City", "Country", "Province", "Landmark", "Geo", "Place"]
        return signs.contains { key.contains($0) } || key.hasPrefix("Xmp.")
            || key.hasPrefix("Iptc.")
    }

    /// How the camera was set and when: what stays in JPEG, PNG and WebP.
    private static let settings: Set<String> = Set(
        [
            "Make", "Model", "Orientation", "XResolution", "YResolution", "ResolutionUnit",
            "DateTime", "YCbCrPositioning", "ExifTag", "Software",
        ].map { "Exif.Image." + $0 }
            + [
                "ExposureTime", "FNumber", "ExposureProgram", "ISOSpeedRatings", "SensitivityType",
                "ExifVersion", "DateTimeOriginal", "DateTimeDigitized", "OffsetTime",
                "OffsetTimeOriginal", "OffsetTimeDigitized", "SubSecTime", "SubSecTimeOriginal",
                "SubSecTimeDigitized", "ComponentsConfiguration", "ShutterSpeedValue",
                "ApertureValue", "BrightnessValue", "ExposureBiasValue", "MaxApertureValue",
                "MeteringMode", "LightSource", "Flash", "FocalLength", "FlashpixVersion",
                "ColorSpace", "PixelXDimension", "PixelYDimension", "SensingMethod", "SceneType",
                "ExposureMode", "WhiteBalance", "DigitalZoomRatio", "FocalLengthIn35mmFilm",
                "SceneCaptureType", "Contrast", "Saturation", "Sharpness", "LensSpecification",
                "LensMake", "LensModel",
            ].map { "Exif.Photo." + $0 })
}
