import LinuxIO

/// The descriptors that one worker is given, by their numbers.
///
/// By number, because an owner would close its descriptor in the forked child after its last use there,
/// which comes before the work is done. The broker closes its copies right after the fork.
struct WorkerEnds: Sendable {
    /// Where secrets come from.
    var secrets: Int32?
    /// Where the person alone reads.
    var output: Int32?
    /// What the person gives to be read.
    var input: Int32?
    var deviceKey: Int32?
    var indexKey: Int32?
    /// A new file for the device key.
    var newDeviceKey: Int32?
    var newIndexKey: Int32?
    /// Where large files come from.
    var feed: Int32?
    /// Where large files go.
    var stage: Int32?
    /// Where a signed file goes.
    var file: Int32?
    /// Whether the output is a pipe, which may be full.
    var outputIsPipe = false
    /// Whether the broker keeps the descriptor of the device key for every worker.
    var deviceKeyIsKept = false

    var all: [Int32] {
        [
            secrets, output, input, deviceKey, indexKey, newDeviceKey, newIndexKey, feed, stage,
            file,
        ].compactMap { $0 }
    }

    /// In the broker, once the worker has its own.
    func close() {
        for number in all where !(deviceKeyIsKept && number == deviceKey) {
            _ = FileDescriptor(owning: number)
        }
    }
}
