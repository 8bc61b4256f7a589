// error: 'VaultBody' does not conform to expected type 'Copyable'
import Vault

func vaultBodyReflect(_ body: borrowing VaultBody) -> Int {
    #if LEAK
    Mirror(reflecting: body).children.count
    #else
    body.hasPassphrase ? 1 : 0
    #endif
}
