import Configuration
import Testing

@testable import KeeperRuntime

@Suite("Wall that the kernel gives")
struct KernelWallTests {
    private func settings(_ arguments: [String]) throws -> Settings {
        guard case .run(let flags) = try KeeperArguments(arguments) else {
            throw TestFailure(description: "no settings in \(arguments)")
        }
        var settings = Settings()
        try settings.take(flags: flags)
        return settings
    }

    @Test("mainnet is refused only with neither namespaces nor Landlock, unless that is accepted")
    func refusal() throws {
        for (reason, landlock) in [("EPERM", 0), ("EPERM", 4), (nil, 0), (nil, 4)]
            as [(String?, Int32)]
        {
            let wall = KernelWall(namespaceRefusal: reason, landlockVersion: landlock)
            let isBare = reason != nil && landlock == 0
            let refusal = Instance.refusal(of: try settings([]), on: wall)
            #expect((refusal != nil) == isBare)
            if let refusal {
                #expect(refusal.code == .kernel)
                #expect(refusal.description.contains("--accept-weaker-wall"))
                #expect(refusal.description.contains("EPERM"))
            }
            for flags in [["--accept-weaker-wall"], ["--network", "signet"]] {
                #expect(Instance.refusal(of: try settings(flags), on: wall) == nil)
            }
        }
    }

    @Test(
        "this machine gives namespaces, or the tests of the wall could not run",
        .enabled(if: isWallTested))
    func probe() {
        #expect(KernelWall.probe(.current).namespaceRefusal == nil)
    }
}
