public import JSON

extension CommandTable {
    /// Commands and their flags, for `bulkhead help --json`.
    public static func json(of rows: [CommandRow]) -> JSONValue {
        .object([
            .init("schema", .string("bulkhead-help-1")),
            .init("commands", .array(rows.map(json))),
        ])
    }

    /// What `bulkhead --version --json` prints.
    public static var versionJSON: JSONValue {
        .object([
            .init("schema", .string("bulkhead-version-1")), .init("messages", .string(build)),
        ])
    }

    private static func json(of row: CommandRow) -> JSONValue {
        .object([
            .init("name", .string(row.name)),
            .init("arguments", .array(row.arguments.map { .string($0) })),
            .init("sentence", .string(row.sentence)),
            .init(
                "flags",
                .array(
                    row.allFlags.map { flag in
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
