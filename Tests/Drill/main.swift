// The breach drill: attacks made from the place of each of Bulkhead's processes, under its very
// confinement, with each wall in turn taken away. Never installed; see docs/drill.md.
//
//   bulkhead-drill [--short] [--role ROLE] [--cell CELL] [--attack TEXT] [--calls]
//   bulkhead-drill --frames [--short] [--attack TEXT] | --deaths NUMBER [--short] | --table
//
// Exit status 0 if every attack ended as docs/drill.md says, 1 if one did not.

import Glibc
import LinuxIO

let arguments = ProgramArguments.all
if arguments.first == "--network" {
    Attacker.run()
}
do {
    let options = try Options(arguments)
    if options.printsTable {
        print(Table.render(), terminator: "")
        exit(0)
    }
    // Each in a function, so that what it started has ended before this process does.
    if options.deaths > 0 {
        try Deaths.run(options)
        exit(0)
    }
    if options.triesFrames { exit(try Frames.run(options) ? 0 : 1) }
    exit(try Drill(options).run() ? 0 : 1)
} catch {
    print("drill: \(error)")
    exit(2)
}
