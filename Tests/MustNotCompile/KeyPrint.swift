// error: 'SecretKey' does not conform to expected type 'Copyable'
import Signing

func keyPrint(_ context: borrowing SigningContext) throws {
    let key = try SecretKey.random(context)
    #if LEAK
    print(key)
    #else
    print(key.publicKey)
    #endif
}
