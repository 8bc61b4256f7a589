import LinuxIO

/// The device key as a credential of the service manager, which the keeper opens once, never reads and
/// gives to every signer that it starts.
enum Credential {
    private static let name = "device-key"

    /// The open credential; nil where the service manager gave none.
    ///
    /// - Throws: `.state` if there is one that cannot be opened.
    static func open(_ caller: Caller) throws(StartRefusal) -> HeldDescriptor? {
        guard let directory = caller.credentials else { return nil }
        do throws(Errno) {
            let folder = try Kernel.openDirectory(directory)
            return HeldDescriptor(try Kernel.open(name, in: folder, for: .reading))
        } catch .noSuchFile {
            return nil
        } catch {
            throw StartRefusal(.state, "the credential \(directory)/\(name): \(error)")
        }
    }
}
