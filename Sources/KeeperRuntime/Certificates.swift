import Configuration
import LinuxIO

/// Files that the keeper opens once, never reads and gives to every network process that it starts.
enum HandedFiles {
    /// Debian's bundle of the authorities that certificates of servers are checked against.
    static let standardCertificates = "/etc/ssl/certs/ca-certificates.crt"

    /// The authorities; nil where the machine has none and none are named.
    ///
    /// - Throws: `.configuration` if the file that is named cannot be opened, or cannot hold them.
    static func openCertificates(_ instance: Instance) throws(StartRefusal) -> HeldDescriptor? {
        guard let path = instance.certificatesPath else { return nil }
        let problem: String
        do throws(InputFile.Problem) {
            let file = try InputFile.open(path)
            let size = (try? Kernel.facts(of: file).size) ?? 0
            if (1...UInt64(PeerSettings.largestCertificates)).contains(size) {
                return HeldDescriptor(file)
            }
            problem = "it has \(size) bytes of 1 to \(PeerSettings.largestCertificates)"
        } catch {
            problem = "\(error)"
        }
        throw StartRefusal(
            .configuration,
            "the certificates \(path) cannot be used: \(problem); install ca-certificates, or name "
                + "another file: --\(Setting.certificates.rawValue)")
    }

    /// The signed list of peers; nil where none is named.
    ///
    /// - Throws: `.configuration` if it cannot be opened.
    static func openPeerList(_ instance: Instance) throws(StartRefusal) -> HeldDescriptor? {
        guard let path = instance.peerListPath else { return nil }
        do throws(InputFile.Problem) {
            return HeldDescriptor(try InputFile.open(path))
        } catch {
            throw StartRefusal(
                .configuration,
                "the list of peers \(path) cannot be opened: \(error); name another file, or none: "
                    + "--\(Setting.peerList.rawValue)")
        }
    }
}

extension Instance {
    /// Where the certificates are; nil where none are named and the machine has none.
    var certificatesPath: String? {
        guard settings.role != .offline else { return nil }
        if let path = settings.certificates { return path }
        let path = HandedFiles.standardCertificates
        return (try? System.facts(of: path)) == nil ? nil : path
    }

    /// Where the signed list of peers is; nil where none is named.
    var peerListPath: String? { settings.role == .offline ? nil : settings.peerList }
}
