import Labels
public import Messages
public import NetworkCore
public import NetworkStore

/// Lines of labels that came in one message.
struct LabelPart {
    let labels: [Label]
    let isLast: Bool
    /// What becomes of them.
    let answer: ChainAnswer

    init(_ bytes: [UInt8], firstLine: UInt32, isLast: Bool) throws(Refusal) {
        let problems: [LabelFile.Problem]
        do throws(LabelError) {
            (labels, problems) = try LabelFile.read(bytes, firstLine: firstLine)
        } catch {
            throw Refusal(.input, "\(error)")
        }
        self.isLast = isLast
        answer = .labelsPut(
            kept: UInt32(clamping: labels.count), leftOut: UInt32(clamping: problems.count),
            problems.prefix(8).map { "line \($0.line) is left out: \($0.reason)" })
    }
}

/// A file of labels that comes in parts. It is kept as a whole when its last part is written, and not
/// at all if whoever sends it leaves before.
struct LabelImport {
    let asker: QueryID
    var batch = LabelBatch()
    /// What is answered once the batch is written, and whether it is the last one.
    var due: (answer: ChainAnswer, isLast: Bool)?
    /// Whether what an earlier import left is taken away.
    var isBegun = false
}

extension ChainDesk {
    /// Takes a part of a file; nil where its answer has to wait until it is written.
    mutating func put(
        _ part: LabelPart, from asker: QueryID, _ store: NetworkStore
    ) throws(Refusal) -> ChainAnswer? {
        let isOwn = labelImport?.asker == asker
        guard isOwn || !part.isLast else {
            // Few enough for one step.
            do throws(StoreFault) { try store.putLabels(part.labels) } catch {
                throw Refusal(.store, error.sentence)
            }
            return part.answer
        }
        guard isOwn || labelImport == nil, labelImport?.due == nil else {
            throw Refusal(.full, "another file of labels is being imported: try again afterwards")
        }
        var running = labelImport ?? LabelImport(asker: asker)
        running.batch.add(part.labels)
        let waits = part.isLast || running.batch.isFull
        if waits { running.due = (part.answer, part.isLast) }
        labelImport = running
        return waits ? nil : part.answer
    }

    /// Whether `stepLabels` has something to do.
    public func hasLabelsToStep(_ store: NetworkStore) -> Bool {
        labelImport.map { $0.due != nil } ?? store.mayTidyLabels
    }

    /// Writes a little of a file of labels, or tidies up a little after one.
    ///
    /// - Returns: who has to be told what, if a part is done.
    public mutating func stepLabels(
        _ store: NetworkStore
    ) -> (asker: QueryID, answer: ChainAnswer)? {
        guard hasLabelsToStep(store) else { return nil }
        guard var running = labelImport, let due = running.due else {
            _ = try? store.tidyLabels()
            return nil
        }
        do throws(StoreFault) {
            guard try write(&running, store) else {
                labelImport = running
                return nil
            }
            if due.isLast { try store.keepLabels() }
            running.batch = LabelBatch()
            running.due = nil
            labelImport = due.isLast ? nil : running
            return (running.asker, due.answer)
        } catch {
            labelImport = nil
            return (running.asker, .refused(.store, error.sentence))
        }
    }

    /// One step; whether the batch is written.
    private func write(
        _ running: inout LabelImport, _ store: NetworkStore
    ) throws(StoreFault) -> Bool {
        guard running.isBegun else {
            running.isBegun = try !store.tidyLabels()
            if running.isBegun { store.beginLabels() }
            return false
        }
        return try !store.prepareLabels(&running.batch)
    }
}
