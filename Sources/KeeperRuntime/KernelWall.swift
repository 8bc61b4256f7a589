import CLinux
import CNamespaces
import Glibc
import LinuxIO

/// What this kernel, and what the caller may do on it, give to build the wall from.
struct KernelWall {
    /// Why a child cannot get namespaces and a root of its own; nil if it can.
    let namespaceRefusal: String?
    /// The Landlock version; 0 without Landlock.
    let landlockVersion: Int32

    var hasNamespaces: Bool { namespaceRefusal == nil }
    var hasLandlock: Bool { landlockVersion > 0 }

    /// The Landlock version of this kernel; 0 without Landlock.
    static var currentLandlockVersion: Int32 { max(0, linux_landlock_abi()) }

    /// Tries out in a process of its own what starting a child will need.
    static func probe(_ caller: Caller) -> KernelWall {
        let landlock = currentLandlockVersion
        // The signer needs one namespace more than the network process.
        let flags =
            linux_namespace_mount.rawValue | linux_namespace_pid.rawValue
            | linux_namespace_ipc.rawValue | linux_namespace_network.rawValue
            | (caller.isRoot ? 0 : linux_namespace_user.rawValue)
        do throws(StepFailure) {
            let pid = try Fork.start(namespaces: UInt64(flags)) {
                _ throws(StepFailure) in
                if !caller.isRoot { try Fork.mapUserToItself(caller.account) }
                try step("keep mounts to itself") { () throws(Errno) in
                    try System.mount("none", on: "/", flags: Int(MS_REC) | Int(MS_PRIVATE))
                }
                // Any directory serves: nobody else sees this mount.
                try PrivateRoot.mountEmptyRoot(on: "/proc")
                Kernel.exit(0)
            }
            _ = try? Kernel.killAndReap(pid)
            return KernelWall(namespaceRefusal: nil, landlockVersion: landlock)
        } catch {
            return KernelWall(namespaceRefusal: error.description, landlockVersion: landlock)
        }
    }
}
