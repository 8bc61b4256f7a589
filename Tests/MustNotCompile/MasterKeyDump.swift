// error: requires that 'ExtendedPrivateKey' conform to 'Copyable'
import KeyTree

func masterKeyDump(_ key: borrowing ExtendedPrivateKey) {
    #if LEAK
    dump(key)
    #else
    dump(key.fingerprint)
    #endif
}
