extension Bech32 {
    /// Which one or two of `count` groups are wrong, counted from the first, if no more are; empty
    /// when that explains nothing, or more than one way does.
    ///
    /// The checksum is linear: what a wrong group adds to the remainder depends on its place and on
    /// its difference to the right one only. BIP173 warns of correcting a text, so this says no more
    /// than where to look.
    static func locateErrors(sum: UInt32, count: Int) -> [Int] {
        guard count <= maximumLength else { return [] }
        var places: [UInt32: Int] = [:]
        places.reserveCapacity(31 * count)
        for difference in UInt32(1)..<32 {
            var effect = difference
            for place in (0..<count).reversed() {
                places[effect] = place
                effect = step(effect, 0)
            }
        }
        let effects = Variant.allCases.map { sum ^ $0.constant }
        let single = Set(effects.compactMap { places[$0] })
        if let place = single.first { return single.count == 1 ? [place] : [] }
        var pairs: Set<[Int]> = []
        for total in effects {
            for (effect, place) in places {
                guard let other = places[total ^ effect], other != place else { continue }
                pairs.insert([min(place, other), max(place, other)])
            }
        }
        return pairs.count == 1 ? pairs.first ?? [] : []
    }
}
