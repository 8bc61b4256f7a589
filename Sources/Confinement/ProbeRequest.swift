internal import CProbe

/// One attempt as the probe child reads it.
struct ProbeRequest {
    /// Address families that Linux has numbers for (`AF_MAX`).
    static let addressFamilies: Int32 = 46

    let attempt: probe_attempt_kind
    let argument: Int32
    let path: String

    init(_ attempt: probe_attempt_kind, _ argument: Int32 = 0, path: String = "") {
        self.attempt = attempt
        self.argument = argument
        self.path = path
    }

    /// The C structure; nil if the path is too long for it.
    var encoded: probe_request? {
        var request = probe_request()
        request.attempt = attempt.rawValue
        request.argument = argument
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &request.path) { buffer in
            guard bytes.count < buffer.count else { return false }
            buffer.copyBytes(from: bytes)
            return true
        }
        return fits ? request : nil
    }
}
