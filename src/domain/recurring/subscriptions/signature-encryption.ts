import { type Hash, type Hex, parseSignature, recoverAddress, serializeSignature } from 'viem';
import { toWallet } from '../../../base/chain/address.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { SealedValues } from '../../../base/platform/sealed-values.ts';
import { seal, unseal } from '../../../base/platform/secrets.ts';

/** The order of secp256k1. Contracts refuse an `s` above half of it. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * A signature in the form that contracts accept. An ECDSA signature is malleable (two values of `s`), and wallets
 * encode its parity as 0/1 or 27/28: the result has the lower `s` and 27 or 28. A smart account's signature is returned
 * unchanged.
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

/** Encrypts the customer's signature for storage, so that a database dump alone does not allow charges. */
export function sealSignature(settings: Deps['settings'], subscriptionId: string, signature: Hex): string {
  return seal(settings, contextOf(subscriptionId), signature);
}

/** Decrypts a signature that `sealSignature` encrypted for the same subscription; throws for any other. */
export function openSignature(settings: Deps['settings'], subscriptionId: string, sealed: string): Hex {
  return unseal(settings, contextOf(subscriptionId), sealed) as Hex;
}

const SEALED_PAGE = query('signatures-sealed-page', (db, $: { after: string; limit: number }) =>
  db
    .selectFrom('Subscription')
    .select(['id', 'sealedSignature'])
    .where('id', '>', $.after)
    .where('sealedSignature', '<>', '')
    .orderBy('id')
    .limit($.limit),
);
const RESEAL = query('signature-reseal', (db, $: { id: string; known: string; sealed: string }) =>
  db
    .updateTable('Subscription')
    .set({ sealedSignature: $.sealed })
    .where('id', '=', $.id)
    .where('sealedSignature', '=', $.known),
);

/** The encrypted signatures of subscriptions. */
export const sealedSignatures: SealedValues = {
  what: 'subscriptions',
  page: async (db, after, limit) =>
    (await db.run(SEALED_PAGE, { after, limit })).map(({ id, sealedSignature }) => ({
      at: id,
      values: [{ context: contextOf(id), sealed: sealedSignature }],
    })),
  replace: async (db, { at, values }, [sealed]) =>
    void (await db.run(RESEAL, { id: at, known: values[0]!.sealed, sealed: sealed! })),
};
