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

    @Test("the transaction of a signed file is called as that of the unsigned one")
    func final() {
        for (path, final) in [
            ("a.psbt", "a-final.txn"), ("x/a-signed.psbt", "a-final.txn"),
            ("-signed.psbt", "-signed-final.txn"), ("a-part.psbt", "a-part-final.txn"),
        ] {
            #expect(SignedFileNames(path).final == final)
        }
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

    @Test("a name has 255 bytes at most, whatever the folder and however few characters")
    func length() {
        let long = String(repeating: "é", count: 121)
        let folder = "/" + String(repeating: "f", count: 200) + "/"
        #expect(SignedFileNames(folder + long + "a.psbt").tooLong(withFinal: true) == nil)
        #expect(
            SignedFileNames(folder + long + "ab.psbt").tooLong(withFinal: true)
                == long + "ab-signed.psbt")
    }
}
