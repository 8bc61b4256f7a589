import LinuxIO

// Prints figures; nothing here is a test.
//
//   bulkhead-bench keel [RUNTIME-DIRECTORY]     channels and workers; with a running instance's
//                                               directory also its own figures
let arguments = ProgramArguments.all
Kernel.ignoreBrokenPipes()
switch arguments.first {
case "keel":
    do {
        try KeelBench.run(instance: arguments.dropFirst().first)
    } catch {
        print("bulkhead-bench: \(error)")
        Kernel.exit(1)
    }
default:
    print("usage: bulkhead-bench keel [RUNTIME-DIRECTORY]")
    Kernel.exit(2)
}
