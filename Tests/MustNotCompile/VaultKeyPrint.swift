// error: 'MasterKey' does not conform to expected type 'Copyable'
import Vault

func vaultKeyPrint(_ vault: borrowing NewVault) {
    #if LEAK
    print(vault.masterKey)
    #else
    print(vault.file.header.createdAt)
    #endif
}
