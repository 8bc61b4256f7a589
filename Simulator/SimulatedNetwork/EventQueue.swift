/// Events in the order of their time, then of their number: a binary heap.
struct EventQueue: Sendable {
    private var heap: [World.Event] = []

    var first: World.Event? { heap.first }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].at, heap[left].number) < (heap[right].at, heap[right].number)
    }

    mutating func insert(_ event: World.Event) {
        heap.append(event)
        var place = heap.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func popFirst() -> World.Event? {
        guard !heap.isEmpty else { return nil }
        heap.swapAt(0, heap.count - 1)
        let event = heap.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && isBefore(child, least) {
                least = child
            }
            guard least != place else { return event }
            heap.swapAt(place, least)
            place = least
        }
    }
}
