import NetworkCore
import NetworkTransport

/// Fetching a signed list of peers.
extension ClientLoop {
    /// Fetches it by the way that is named and by no other.
    func fetchList(_ id: ListFetchID, _ url: String, _ route: ListRoute) {
        guard let location = HTTPSLocation(url) else {
            return end(id, "\(url) is no place of a list")
        }
        guard parts.transfers != nil else {
            return end(
                id,
                "the machine has no authorities to check the certificate of \(location.name) against: "
                    + "install ca-certificates, or set certificates")
        }
        switch route {
        case .direct(let hosts):
            let ends = hosts.compactMap { IPEndpoint($0, port: location.port) }
            fetch(id, location, ends.map { .direct($0) }[...])
        case .gateway(let overlay):
            fetch(
                id, location,
                (parts.connections.gateways[overlay].map { [.gateway($0)] } ?? [])[...])
        }
    }

    /// One address after the other, until one takes the connection.
    private func fetch(
        _ id: ListFetchID, _ location: HTTPSLocation, _ ways: ArraySlice<HTTPSTransfers.Way>
    ) {
        guard let way = ways.first, let transfers = parts.transfers else {
            return end(id, "there is no way to \(location.name)")
        }
        let request = HTTPSTransfers.Request(
            location.url, way, longest: SignedPeerList.longest,
            timeout: PeerListFetch.transferTimeout)
        let isAsked = transfers.start(request) { [weak self] result in
            switch result {
            case .success(let list): self?.handle(.listFetched(id, .success(list)))
            case .failure(.transfer(.noConnection, _)) where ways.count > 1:
                self?.fetch(id, location, ways.dropFirst())
            case .failure(let failure): self?.end(id, "\(location.name) \(failure)")
            }
        }
        if !isAsked { end(id, "\(location.url) cannot be asked for") }
    }

    private func end(_ id: ListFetchID, _ reason: String) {
        handle(.listFetched(id, .failure(ListFetchFailure(reason))))
    }
}
