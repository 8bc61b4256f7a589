// A process that confines itself as told and then says what it can still do: the tests' specimen.
//
//   wall-specimen POLICY [--write PATH] [--limit NAME=VALUE] [--probes POLICY] [--no-landlock] ACTION…
//
// POLICY may be `none`: then every call passes. Actions, in order: `report`, `descriptors`,
// `probe=KIND` (in the probe child), `attempt=KIND` (in this process), `allocate=MEBIBYTES`, `trap`.
// Each prints one line to descriptor 1.

import Confinement
import LinuxIO
import SeccompPolicies
import Wire

func say(_ line: String) {
    var text = Array((line + "\n").utf8)
    text.withUnsafeMutableBytes { buffer in
        _ = try? Kernel.write(1, UnsafeRawBufferPointer(buffer))
    }
}

var specimen = Specimen()
do {
    try specimen.run(Array(CommandLine.arguments.dropFirst()))
} catch {
    say("error: \(error)")
}
