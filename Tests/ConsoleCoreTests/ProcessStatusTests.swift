import Testing

@testable import ConsoleCore

@Suite("Process status")
struct ProcessStatusTests {
    static let text = """
        Name:\tbulkhead-signer
        Umask:\t0077
        State:\tS (sleeping)
        Tgid:\t4242
        Pid:\t4242
        PPid:\t4240
        TracerPid:\t0
        Uid:\t990\t990\t990\t990
        Gid:\t989\t989\t989\t989
        FDSize:\t64
        Groups:\t 989 \n\
        NSpid:\t4242\t1
        VmLck:\t     128 kB
        VmRSS:\t   11200 kB
        Threads:\t1
        CapInh:\t0000000000000000
        CapPrm:\t0000000000000000
        CapEff:\t0000000000000000
        CapBnd:\t0000000000000000
        CapAmb:\t0000000000000000
        NoNewPrivs:\t1
        Seccomp:\t2
        Seccomp_filters:\t1

        """

    @Test("every field of a real status is read")
    func fields() throws {
        let status = try #require(ProcessStatus(Self.text))
        #expect(status.userIDs == [990, 990, 990, 990])
        #expect(status.groups == [989])
        #expect(status.namespacePIDs == [4242, 1])
        #expect(status.capabilities.areNone)
        #expect(status.noNewPrivileges && status.seccompMode == 2 && status.seccompFilters == 1)
        #expect(status.lockedKiB == 128 && status.residentKiB == 11200 && status.threads == 1)
    }

    @Test("one capability in any of the five sets is noticed")
    func capability() throws {
        for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
            let text = Self.text.replacing(
                "\(set):\t0000000000000000", with: "\(set):\t0000000000200000")
            let status = try #require(ProcessStatus(text))
            #expect(!status.capabilities.areNone, "\(set)")
        }
    }

    @Test("a status without a line that every kernel has, or with a malformed one, is no status")
    func missing() {
        for name in ["Uid", "Gid", "CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Threads"] {
            #expect(
                ProcessStatus(Self.text.replacing("\(name):", with: "Other:")) == nil, "\(name)")
            #expect(ProcessStatus(Self.text.replacing("\(name):\t", with: "\(name):\tx")) == nil)
        }
    }
}
