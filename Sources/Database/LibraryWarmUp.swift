import CSQLite

/// What SQLite does once in a process, done before the process is confined.
public enum LibraryWarmUp {
    /// Seeds SQLite's random numbers, which come from a device file whatever file system a database
    /// lies in.
    public static func run() {
        var byte: UInt8 = 0
        sqlite3_randomness(1, &byte)
    }
}
