// error: 'key' used after consume
import Signing

func use(_ key: borrowing SecretKey) {}

func keyCopy(_ context: borrowing SigningContext) throws {
    let key = try SecretKey.random(context)
    #if LEAK
    let twin = key
    use(twin)
    #else
    let twin = key.duplicate()
    use(twin)
    #endif
    use(key)
}
