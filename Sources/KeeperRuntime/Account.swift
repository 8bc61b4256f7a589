import Glibc

/// A user that a process runs as.
package struct Account: Equatable {
    package let uid: UInt32
    package let gid: UInt32

    package init(uid: UInt32, gid: UInt32) {
        self.uid = uid
        self.gid = gid
    }

    /// The user of this name; nil if the system has none.
    init?(user name: String) {
        guard let entry = getpwnam(name) else { return nil }
        self.init(uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid)
    }

    /// The group of this name; nil if the system has none.
    static func group(_ name: String) -> UInt32? { getgrnam(name)?.pointee.gr_gid }
}

/// Who started the keeper, and what its environment says.
struct Caller {
    let account: Account
    /// The user's home directory.
    let home: String?
    /// `XDG_STATE_HOME`, `XDG_RUNTIME_DIR`.
    let stateHome: String?
    let runtimeHome: String?
    /// `CREDENTIALS_DIRECTORY`, where the service manager puts what it decrypted.
    let credentials: String?

    var isRoot: Bool { account.uid == 0 }

    /// Whether the service manager gave a device key.
    var hasDeviceKeyCredential: Bool {
        credentials.map { (try? System.facts(of: $0 + "/device-key")) != nil } ?? false
    }

    /// The caller of this process.
    static var current: Caller {
        func variable(_ name: String) -> String? {
            guard let value = getenv(name) else { return nil }
            let text = String(cString: value)
            return text.hasPrefix("/") ? text : nil
        }
        let home =
            variable("HOME") ?? getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) }
        return Caller(
            account: Account(uid: geteuid(), gid: getegid()), home: home,
            stateHome: variable("XDG_STATE_HOME"), runtimeHome: variable("XDG_RUNTIME_DIR"),
            credentials: variable("CREDENTIALS_DIRECTORY"))
    }
}
