import { sealedTransactions } from '../../../base/onchain/spender/nonce-store.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { sealedAnswers } from '../../../base/platform/idempotency.ts';
import { readSealed, type SealedUse } from '../../../base/platform/sealed-values.ts';
import type { SealingKeys } from '../../../base/platform/secrets.ts';
import { renewKeyCheck } from '../../access/keys/check-secrets.ts';
import { sealedKeys } from '../../access/keys/signing.ts';
import { sealedSignatures } from '../../recurring/subscriptions/signature-encryption.ts';
import { sealedSecrets } from '../../webhooks/endpoints/secrets.ts';

/** Everything that is stored encrypted with `KEY_ENCRYPTION_KEY`. */
const SEALED = [sealedKeys, sealedSecrets, sealedSignatures, sealedTransactions, sealedAnswers];

/** Counts what is encrypted with `KEY_ENCRYPTION_KEY`, and with `KEY_ENCRYPTION_KEY_PREVIOUS`. Changes nothing. */
export async function readSealedUses(db: Db, keys: SealingKeys): Promise<SealedUse[]> {
  const uses: SealedUse[] = [];
  for (const values of SEALED) uses.push(await readSealed(db, keys, values));
  return uses;
}

/**
 * Encrypts with `KEY_ENCRYPTION_KEY` what `KEY_ENCRYPTION_KEY_PREVIOUS` encrypted, beside running servers. Afterwards
 * no server starts without the new key. May be run again, also after it was interrupted.
 *
 * @returns what it found; `previous` are the rows that it encrypted again
 */
export async function reEncrypt(db: Db, settings: Settings): Promise<SealedUse[]> {
  const uses: SealedUse[] = [];
  for (const values of SEALED) uses.push(await readSealed(db, settings, values, { reseal: true }));
  const left = await readSealedUses(db, settings);
  if (left.every(({ previous }) => previous === 0)) await renewKeyCheck(db, settings);
  return uses;
}
