public import Configuration
import LinuxIO

/// Why the appliance does not start: the exit code, and a sentence that says what to do.
public struct StartRefusal: Error, Equatable, CustomStringConvertible {
    /// How the program ends.
    public let code: ExitCode
    /// The sentence for a person.
    public let description: String

    init(_ code: ExitCode, _ sentence: String) {
        self.code = code
        description = sentence
    }
}

/// A step that the operating system refused: what was done, on what, and its answer.
package struct StepFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Runs one step and names it in what it throws.
@discardableResult
func step<Result: ~Copyable>(
    _ name: @autoclosure () -> String, _ body: () throws(Errno) -> Result
) throws(StepFailure) -> Result {
    do throws(Errno) {
        return try body()
    } catch {
        throw StepFailure("cannot \(name()): \(error)")
    }
}
