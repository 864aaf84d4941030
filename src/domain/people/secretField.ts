/**
 * Whether a field of this name holds a value that must not be kept on a device beyond the screen it was typed on: a password, another secret, a
 * bank account, or an address that gives access by itself. `src/contract/secretFields.test.ts` asks it about every field of the contract.
 */
export const isSecretField = (name: string): boolean => /password|secret|token|iban|bic|^(?:wanted|url)$/i.test(name)
