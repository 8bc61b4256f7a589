import Glibc
import KeeperRuntime
import LinuxIO

// Starts, confines and restarts the processes of one instance; see docs/processes.md.
exit(Int32(KeeperProgram.run(arguments: ProgramArguments.all).rawValue))
