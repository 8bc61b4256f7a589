import LinuxIO

// Prints figures; nothing here is a test.
//
//   bulkhead-bench library [INPUTS]             hashing, keys, signing and parsing, beside the bare
//                                               cost of the same; PSBTs of up to INPUTS inputs
//   bulkhead-bench review [INPUTS]              reviews of PSBTs, beside deriving their addresses
//   bulkhead-bench pipeline                     from a file to the signed file, beside the library alone
//   bulkhead-bench sign DIRECTORY               the same through the real signer: time and memory, in an
//                                               empty directory
//   bulkhead-bench chain [HEADERS]              headers and compact filters, beside plain ways
//   bulkhead-bench store DIRECTORY [HEADERS]    what the network process keeps, in an empty directory
//   bulkhead-bench labels DIRECTORY [LABELS]    a file of labels imported, beside bare inserts into the same
//                                               table, in an empty directory
//   bulkhead-bench client DIRECTORY [BLOCKS] [ELEMENTS]   the light client's process and a peer over TCP:
//                                               time, memory and disk, in an empty directory
//   bulkhead-bench vault                        opening a vault: time and memory by each derivation
//   bulkhead-bench items [MEBIBYTES] [DIRECTORY]   sealed items, logs and backups, beside bare libsodium;
//                                               with an empty directory also through the real signer
//   bulkhead-bench keel [RUNTIME-DIRECTORY]     channels and workers; with a running instance's
//                                               directory also its own figures
let arguments = ProgramArguments.all
let operand = arguments.dropFirst().first
Kernel.ignoreBrokenPipes()
do {
    switch arguments.first {
    case "library": try LibraryBench.run(largest: operand.flatMap { Int($0) } ?? 10_000)
    case "review": try ReviewBench.run(largest: operand.flatMap { Int($0) } ?? 10_000)
    case "pipeline": try PipelineBench.run()
    case "sign": try SignBench.run(directory: operand ?? ".")
    case "chain": try ChainBench.run(headers: max(1, operand.flatMap { Int($0) } ?? 200_000))
    case "store":
        try StoreBench.run(
            headers: max(1, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 500_000),
            directory: operand ?? ".")
    case "labels":
        try LabelsBench.run(
            count: max(1, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 200_000),
            directory: operand ?? ".")
    case "client":
        try ClientBench.run(
            blocks: max(1, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100_000),
            elements: max(1, arguments.dropFirst(3).first.flatMap { Int($0) } ?? 100),
            directory: operand ?? ".")
    case "vault": try VaultBench.run()
    case "items":
        try ItemsBench.run(
            mebibytes: max(1, operand.flatMap { Int($0) } ?? 256),
            directory: arguments.dropFirst(2).first)
    case "keel": try KeelBench.run(instance: operand)
    default:
        print(
            "usage: bulkhead-bench library [INPUTS] | review [INPUTS] | pipeline | sign DIRECTORY | chain [HEADERS] | "
                + "store DIRECTORY [HEADERS] | labels DIRECTORY [LABELS] | client DIRECTORY [BLOCKS] [ELEMENTS] | vault | "
                + "items [MEBIBYTES] [DIRECTORY] | keel [RUNTIME-DIRECTORY]")
        Kernel.exit(2)
    }
} catch {
    print("bulkhead-bench: \(error)")
    Kernel.exit(1)
}
