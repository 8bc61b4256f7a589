import Messages

extension Signer {
    mutating func control(_ order: ControlOrder, _ now: Duration) {
        switch order {
        case .hello(let hello):
            guard hello.role == .signer, hello.chain == chain else {
                say(.failure, "the keeper's orders are for \(hello.role) on \(hello.chain)", now)
                return finish(.wrongOrders)
            }
            orders = hello
        case .newLink(let generation):
            link.isUp = false
            link.isOpen = true
            link.generation = generation
            actions += [.adoptLink]
        case .facts(let newFacts, let newWeaknesses):
            facts = newFacts
            weaknesses = newWeaknesses
        case .nameServers: say(.warning, "name servers are for the network process", now)
        case .ping(let nonce): actions.append(.report(.pong(nonce: nonce)))
        case .stop: finish(.stopped)
        }
    }
}
