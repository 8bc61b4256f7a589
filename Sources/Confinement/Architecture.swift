/// A processor architecture that Bulkhead runs on, under the name that libseccomp knows.
public enum Architecture: String, CaseIterable, Sendable {
    /// 64-bit PCs.
    case x86_64
    /// 64-bit Raspberry Pi and other Arm machines.
    case aarch64

    /// What this program was compiled for.
    public static var native: Architecture {
        #if arch(x86_64)
        .x86_64
        #elseif arch(arm64)
        .aarch64
        #else
        #error("The seccomp policies are written for x86_64 and aarch64.")
        #endif
    }
}
