import Configuration
import LinuxIO

/// The authorities that certificates of servers are checked against, which the keeper opens once, never
/// reads and gives to every network process that it starts.
enum Certificates {
    static let standardPath = "/etc/ssl/certs/ca-certificates.crt"

    /// The open file; nil where the machine has none and none is named.
    ///
    /// - Throws: `.configuration` if the one that is named cannot be opened.
    static func open(_ instance: Instance) throws(StartRefusal) -> HeldDescriptor? {
        guard let path = instance.certificatesPath else { return nil }
        do throws(Errno) {
            return HeldDescriptor(try System.open(path, 0))
        } catch {
            throw StartRefusal(
                .configuration,
                "the certificates \(path) cannot be opened: \(error); install ca-certificates, or name "
                    + "another file: --\(Setting.certificates.rawValue)")
        }
    }
}

extension Instance {
    /// Where the certificates are; nil where none are named and the machine has none.
    var certificatesPath: String? {
        guard settings.role != .offline else { return nil }
        if let path = settings.certificates { return path }
        let path = Certificates.standardPath
        return (try? System.facts(of: path)) == nil ? nil : path
    }
}
