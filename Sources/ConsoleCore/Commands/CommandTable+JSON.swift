public import JSON

extension CommandTable {
    /// Commands and their flags, for `bulkhead help --json`.
    public static func json(of rows: [CommandRow]) -> JSONValue {
        .object([
            .init("schema", .string("bulkhead-help-1")),
            .init("commands", .array(rows.map(json))),
        ])
    }

    private static func json(of row: CommandRow) -> JSONValue {
        let flags = row.flags.map(\.flag) + common.filter { $0.name != "json" || row.printsJSON }
        return .object([
            .init("name", .string(row.name)),
            .init("arguments", .array(row.arguments.map { .string($0) })),
            .init("sentence", .string(row.sentence)),
            .init(
                "flags",
                .array(
                    flags.map { flag in
                        .object([
                            .init("name", .string(flag.name)),
                            .init("argument", flag.argument.map { .string($0) } ?? .null),
                            .init("sentence", .string(flag.sentence)),
                            .init("default", flag.defaultText.map { .string($0) } ?? .null),
                        ])
                    })),
        ])
    }
}
