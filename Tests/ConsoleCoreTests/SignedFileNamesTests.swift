import Testing

@testable import ConsoleCore

@Suite("Names of signed files")
struct SignedFileNamesTests {
    @Test(
        "the ending of a PSBT goes, any other stays, and the folder is that of the file",
        arguments: [
            ("a.psbt", "a-signed.psbt"), ("A.PSBT", "A-signed.psbt"), ("a.txt", "a-signed.psbt"),
            ("a.b64", "a-signed.psbt"), ("a.pdf", "a.pdf-signed.psbt"), ("a", "a-signed.psbt"),
            ("/x/y.z/a.psbt", "/x/y.z/a-signed.psbt"), (".psbt", ".psbt-signed.psbt"),
            ("/x/.psbt", "/x/.psbt-signed.psbt"), ("./a.b.hex", "./a.b-signed.psbt"),
        ])
    func names(_ path: String, _ signed: String) {
        let names = SignedFileNames(path)
        #expect(names.folder + names.signed == signed)
    }

    @Test("another folder, and everything that may be written")
    func folder() {
        let names = SignedFileNames("/usb/a.psbt", folder: "out")
        #expect(
            names.paths(withFinal: true) == [
                "out/a-signed.psbt", "out/a-part.psbt", "out/a-final.txn",
            ])
        #expect(SignedFileNames("a.psbt", folder: "/o/").paths(withFinal: false).count == 2)
    }
}
