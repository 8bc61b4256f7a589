/// Sentences for a log, each told once, and no more of them in all than there is room for: whoever is
/// outside decides how often something goes wrong, and often how it is put.
public struct ToldOnce: Sendable {
    private let room: Int
    private var told: Set<String> = []

    /// Nothing is told yet.
    public init(room: Int = 32) { self.room = room }

    /// Whether a sentence is to be told now.
    public mutating func isNew(_ sentence: String) -> Bool {
        told.count < room && told.insert(sentence).inserted
    }
}
