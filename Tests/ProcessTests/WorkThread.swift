import Foundation

/// A thread that does what it is given, one thing after the other, until this value is gone.
final class WorkThread: @unchecked Sendable {
    private let queue = Queue()

    private final class Queue: @unchecked Sendable {
        let requests = DispatchSemaphore(value: 0)
        let lock = NSLock()
        var waiting: [() -> Void] = []
        var isOver = false

        func add(_ work: @escaping () -> Void) {
            lock.withLock { waiting.append(work) }
            requests.signal()
        }

        func next() -> (() -> Void)? {
            requests.wait()
            return lock.withLock { isOver ? nil : waiting.removeFirst() }
        }
    }

    init() {
        let queue = queue
        Thread.detachNewThread { while let work = queue.next() { work() } }
    }

    deinit {
        queue.lock.withLock { queue.isOver = true }
        queue.requests.signal()
    }

    /// Has it done in the thread and waits for that.
    func run<Value>(_ body: @escaping () throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Result<Value, any Error>?
        queue.add {
            result = Result { try body() }
            done.signal()
        }
        done.wait()
        guard let result else { throw Missing(what: "what a thread was to do") }
        return try result.get()
    }
}
