import CLinux

/// What this program was started with.
///
/// Swift's own `CommandLine` finds nothing where there is no /proc, so in no child of the keeper.
public enum ProgramArguments {
    /// The program's name, as whoever started it wrote it.
    public static var program: String {
        linux_argument_count() > 0 ? String(cString: linux_argument(0)) : ""
    }

    /// The arguments, without the program's name.
    public static var all: [String] {
        (0..<linux_argument_count()).dropFirst().map { String(cString: linux_argument($0)) }
    }
}
