public import PeerMessages

/// The servers that a machine's `resolv.conf` names (resolv.conf(5)).
public enum NameServers {
    /// As many as glibc looks at, and a few more.
    public static let most = 8

    /// The addresses behind `nameserver`, in order. One on a link (`fe80::1%eth0`) is left out, since
    /// an interface has no name here.
    public static func read(_ text: String) -> [PeerHost] {
        var hosts: [PeerHost] = []
        for line in text.split(whereSeparator: \.isNewline) where hosts.count < most {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count >= 2, words[0] == "nameserver", let host = PeerHost(words[1]) else {
                continue
            }
            switch host {
            case .ipv4, .ipv6: hosts.append(host)
            case .cjdns, .torV3, .i2p, .unusable: continue
            }
        }
        return hosts
    }
}
