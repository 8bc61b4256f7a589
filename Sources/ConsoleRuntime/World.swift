/// The two worlds of the command. A process enters one of them, once: code that talks to
/// `signer.sock` never opens `network.sock`, nor the other way round.
enum World: String {
    case signer
    case network

    nonisolated(unsafe) private static var entered: World?

    /// Enters this world and says where its socket is.
    ///
    /// - Precondition: this process has not been in the other one.
    func enter(_ runtimeDirectory: String) -> String {
        precondition(Self.entered == nil || Self.entered == self, "one process, one world")
        Self.entered = self
        return runtimeDirectory + "/" + rawValue + ".sock"
    }
}
