/// The error of this type that `body` throws; nil if it throws none, or another.
///
/// For tests that look into the error: `#expect(throws:)` of Swift 6.0 does not return it.
public func thrown<Failure: Error>(
    _: Failure.Type, by body: () throws -> some Any
) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}
