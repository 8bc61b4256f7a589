/// What a field of the secret pipes holds; the number is its tag there.
public enum SecretField: UInt8, CaseIterable, Hashable, Sendable {
    /// The vault's password.
    case password = 1
    /// The password from now on.
    case newPassword = 2
    /// The words of a recovery phrase.
    case words = 3
    /// The BIP39 passphrase.
    case passphrase = 4
    /// Dice rolls.
    case dice = 5
    /// An extended private key.
    case xprv = 6
    /// A kit's recovery code.
    case recoveryCode = 7
    /// A kit's secret key.
    case secretKey = 8
    /// A vault's id as the kit prints it.
    case vaultID = 9
    /// An item's name.
    case itemName = 10
    /// Words near to one that is in no list.
    case suggestions = 11
    /// The kernel's part of what a phrase was made from with dice.
    case kernelEntropy = 12
    /// An item's media type, such as `image/jpeg`.
    case itemType = 13
    /// When an item's file was last changed, in seconds since 1970 as decimal digits.
    case itemDate = 14
    /// How many bytes of an item will come through the input, as decimal digits.
    case itemSize = 15

    /// The name in sentences.
    public var title: String {
        switch self {
        case .password: "password"
        case .newPassword: "new password"
        case .words: "recovery phrase"
        case .passphrase: "passphrase"
        case .dice: "dice rolls"
        case .xprv: "extended private key"
        case .recoveryCode: "recovery code"
        case .secretKey: "secret key"
        case .vaultID: "vault id"
        case .itemName: "item's name"
        case .suggestions: "suggestions"
        case .kernelEntropy: "kernel's random digits"
        case .itemType: "item's type"
        case .itemDate: "item's date"
        case .itemSize: "item's size"
        }
    }
}
