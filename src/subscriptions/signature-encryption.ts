import { type Hash, type Hex, parseSignature, recoverAddress, serializeSignature } from 'viem';
import { toWallet } from '../chain/address.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Deps } from '../platform/deps.ts';
import { decrypt, encrypt } from '../platform/secrets.ts';

/** Half of the order of secp256k1: contracts refuse an `s` above it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * A signature in the form that contracts take. A key's own has a twin with the same signer, and comes with its parity as 0 and 1 or 27 and 28: what is
 * kept has the lower `s` and 27 or 28. A smart account's signature is left as it is.
 */
export async function chargeable(hash: Hash, signature: Hex, account: Wallet): Promise<Hex> {
  try {
    if (toWallet(await recoverAddress({ hash, signature })) !== account) return signature;
  } catch {
    return signature;
  }
  const { r, s, yParity } = parseSignature(signature);
  const high = BigInt(s) > ORDER / 2n;
  if (!high) return serializeSignature({ r, s, yParity });
  const lower: Hex = `0x${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}`;
  return serializeSignature({ r, s: lower, yParity: 1 - yParity });
}

const contextOf = (subscriptionId: string): string => `subscription:${subscriptionId}`;

/** The customer's signature as it is kept: a dump of the database must not let anyone charge. */
export function sealSignature({ keyEncryptionKey }: Deps['settings'], subscriptionId: string, signature: Hex): string {
  return encrypt(keyEncryptionKey, contextOf(subscriptionId), signature);
}

/** Opens what `sealSignature` made of the same subscription's signature; throws otherwise. */
export function openSignature({ keyEncryptionKey }: Deps['settings'], subscriptionId: string, sealed: string): Hex {
  return decrypt(keyEncryptionKey, contextOf(subscriptionId), sealed) as Hex;
}
