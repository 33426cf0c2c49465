// Owns the seam to the operating system's keychain. The desktop shell passes one in (Electron
// safeStorage); the command line has none and passes null. Nothing here stores anything.

export interface SecretCipher {
  /** False where the system offers no keychain: keys then stay in providers.json, and the person is told. */
  available(): boolean
  /** Throws when the keychain refuses; the caller turns that into words. */
  encrypt(plainText: string): Uint8Array
  /** Throws when the bytes come from another user, machine or keychain. */
  decrypt(cipherText: Uint8Array): string
}
