// error: no exact matches in call to instance method 'appendInterpolation'
import Vault

func recoveryCodeInterpolate(_ code: borrowing RecoveryCode) -> String {
    #if LEAK
    "\(code)"
    #else
    "\(code.text().count) characters"
    #endif
}
