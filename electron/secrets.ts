// Owns the way to the operating system's keychain for the rest of the app: Electron's safeStorage
// behind the SecretCipher seam. Stores nothing itself.
import { safeStorage } from 'electron'
import type { SecretCipher } from '../src-main/settings/secret-cipher'

/**
 * On Linux without a keyring Chromium falls back to a password that is built into it. That protects
 * nothing, so it counts as no keychain. Electron before 26 can't tell which one is in use.
 */
function isRealKeychain(): boolean {
  if (process.platform !== 'linux') return true
  if (typeof safeStorage.getSelectedStorageBackend !== 'function') return false
  return !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
}

/** The cipher of this machine's keychain. Use it only once the app is ready. */
export function keychainCipher(): SecretCipher {
  return {
    available: () => safeStorage.isEncryptionAvailable() && isRealKeychain(),
    encrypt: (plainText) => safeStorage.encryptString(plainText),
    decrypt: (cipherText) => safeStorage.decryptString(Buffer.from(cipherText))
  }
}
