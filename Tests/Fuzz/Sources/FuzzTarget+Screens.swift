import ConsoleCore

extension FuzzTarget {
    /// What the signer sends for a person to read, and what the confined screens hand to their launcher.
    func checkScreens(_ bytes: [UInt8]) {
        let report = ReportText(bytes)
        for (columns, rows) in [(80, 20), (20, 3), (1, 1)] {
            for page in report.pages(columns: columns, rows: rows) {
                expect(page.count <= rows)
                for line in page {
                    expect(line.utf8.count <= columns)
                    expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) })
                }
            }
        }
        guard let task = ConsoleTask(record: bytes) else { return }
        expect(ConsoleTask(record: task.record) == task)
    }
}
