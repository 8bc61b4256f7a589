// Gives each input that libFuzzer invents to the chosen parser.
import Glibc

/// libFuzzer's driver (LLVM, compiler-rt/lib/fuzzer/FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runFuzzer(&count, &arguments) { start, count in
        FuzzTarget.chosen.check(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    })
