import Testing

@testable import Descriptors

@Suite("Expression")
struct ExpressionTests {
    @Test("calls, branches, wrappers and musig suffixes become a tree with positions")
    func tree() throws {
        let tree = try Expression("tr(musig(a,b)/0/*,{sln:pk(k),x()})")
        #expect(tree.text == "tr" && tree.kind == .call && tree.position == 0)
        let musig = tree.arguments[0]
        #expect(musig.arguments.map(\.text) == ["a", "b"])
        #expect(musig.suffix == "/0/*" && musig.suffixPosition == 13)
        let branch = tree.arguments[1]
        #expect(branch.kind == .branch && branch.position == 18)
        #expect(branch.arguments.map(\.text) == ["sln:pk", "x"])
        #expect(branch.arguments[1].arguments.isEmpty)
        #expect(branch.arguments[0].arguments[0].position == 26)
    }

    @Test(
        "a text that is no tree is refused at the character where it stops being one",
        arguments: [
            ("pk(a", DescriptorError(.unclosed, at: 0)),
            ("pk(a))", DescriptorError(.unexpectedCharacter, at: 5)),
            ("pk(a)b", DescriptorError(.unexpectedCharacter, at: 5)),
            ("pk(a)/0", DescriptorError(.unexpectedCharacter, at: 5)),
            ("multi(0)()", DescriptorError(.unexpectedCharacter, at: 8)),
            ("a,b", DescriptorError(.unexpectedCharacter, at: 1)),
            ("tr(a,{b)", DescriptorError(.unexpectedCharacter, at: 7)),
            ("(a)", DescriptorError(.missingName, at: 0)),
            ("tr(a,b{c,d})", DescriptorError(.unexpectedCharacter, at: 6)),
            ("pk(a\u{e9})", DescriptorError(.invalidCharacter, at: 4)),
            ("pk(a\n)", DescriptorError(.invalidCharacter, at: 4)),
        ])
    func refused(text: String, error: DescriptorError) {
        #expect(throws: error) { try Expression(text) }
    }

    @Test("depth and length are bounded, and the deepest tree can be read and dropped")
    func bounds() throws {
        let deepest = Expression.maximumDepth
        let nested = { (depth: Int) in
            String(repeating: "a(", count: depth) + "k" + String(repeating: ")", count: depth)
        }
        #expect(try Expression(nested(deepest)).kind == .call)
        #expect(throws: DescriptorError(.tooDeep(allowed: deepest), at: 2 * deepest + 1)) {
            try Expression(nested(deepest + 1))
        }
        let longest = Expression.maximumLength
        #expect(try Expression(String(repeating: "a", count: longest)).kind == .word)
        #expect(throws: DescriptorError(.tooLong(allowed: longest), at: longest + 1)) {
            try Expression(String(repeating: "a", count: longest + 1))
        }
    }
}
