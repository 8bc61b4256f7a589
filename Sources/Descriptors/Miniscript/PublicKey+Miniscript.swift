public import Curve

extension PublicKey: ScriptKey {
    /// Compressed in wsh, x-only in tapscript.
    public func bytes(in context: ScriptContext) -> [UInt8] {
        context == .wsh ? compressed : Array(compressed.dropFirst())
    }
}
