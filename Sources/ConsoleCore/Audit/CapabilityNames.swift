/// The names of the kernel's capabilities (capabilities(7)), by their numbers.
enum CapabilityNames {
    private static let names = """
        chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable \
        net_bind_service net_broadcast net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio \
        sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice sys_resource sys_time \
        sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog \
        wake_alarm block_suspend audit_read perfmon bpf checkpoint_restore
        """.split(separator: " ")

    /// The names in a mask; `all` where it has every one that is known, a number for one that is not.
    static func list(_ mask: UInt64) -> String {
        let known = UInt64(1) << names.count - 1
        if mask == 0 { return "none" }
        if mask & known == known { return "all" }
        return (0..<64).filter { mask >> $0 & 1 == 1 }
            .map { $0 < names.count ? String(names[$0]) : "\($0)" }.joined(separator: " ")
    }
}
