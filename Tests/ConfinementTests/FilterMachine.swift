@testable import Confinement

/// Runs a compiled filter as the kernel does, so that the filter of the other architecture can be
/// examined too. Only the instructions that libseccomp emits are known; any other is an error.
struct FilterMachine {
    /// The kernel's `seccomp_data`.
    struct Call {
        var number: Int32
        var architecture: UInt32
        var registers: [UInt64]

        func word(at offset: UInt32) -> UInt32? {
            switch offset {
            case 0: return UInt32(bitPattern: number)
            case 4: return architecture
            case 16..<64 where offset % 4 == 0:
                let register = registers[Int(offset - 16) / 8]
                return UInt32(truncatingIfNeeded: offset % 8 == 0 ? register : register >> 32)
            default: return nil
            }
        }
    }

    enum Failure: Error { case unknownInstruction(UInt16), outOfProgram, badLoad(UInt32) }

    static let allow: UInt32 = 0x7FFF_0000
    static let kill: UInt32 = 0x8000_0000
    static let errno: UInt32 = 0x0005_0000

    let program: [UInt64]

    /// What the filter answers.
    func run(_ call: Call) throws -> UInt32 {
        var accumulator: UInt32 = 0
        var position = 0
        while true {
            guard program.indices.contains(position) else { throw Failure.outOfProgram }
            let instruction = program[position]
            let code = UInt16(truncatingIfNeeded: instruction)
            let ifTrue = Int(instruction >> 16 & 0xFF)
            let ifFalse = Int(instruction >> 24 & 0xFF)
            let operand = UInt32(truncatingIfNeeded: instruction >> 32)
            position += 1
            switch code {
            case 0x20:
                guard let word = call.word(at: operand) else { throw Failure.badLoad(operand) }
                accumulator = word
            case 0x54: accumulator &= operand
            case 0x05: position += Int(operand)
            case 0x15: position += accumulator == operand ? ifTrue : ifFalse
            case 0x25: position += accumulator > operand ? ifTrue : ifFalse
            case 0x35: position += accumulator >= operand ? ifTrue : ifFalse
            case 0x45: position += accumulator & operand != 0 ? ifTrue : ifFalse
            case 0x06: return operand
            default: throw Failure.unknownInstruction(code)
            }
        }
    }
}

extension Architecture {
    /// The kernel's `AUDIT_ARCH` number.
    var audit: UInt32 {
        switch self {
        case .x86_64: 0xC000_003E
        case .aarch64: 0xC000_00B7
        }
    }
}
