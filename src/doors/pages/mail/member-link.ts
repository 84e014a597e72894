import { createHmac, hkdfSync } from 'node:crypto';
import { parseWallet } from '../../../base/core/wallet.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { sameSecret } from '../../../base/platform/secrets.ts';
import type { MemberKey } from '../../../domain/shop/merchants/members.ts';

/** 128 bits, as base64url. */
const PROOF_LENGTH = 22;

type LinkSettings = Pick<Settings, 'keyEncryptionKey' | 'previousKeyEncryptionKey' | 'baseUrl'>;

/** What a link of a message to a member does. */
export type LinkPurpose = 'stop' | 'confirm';

function proofOf(purpose: LinkPurpose, secret: string, { merchant, wallet }: MemberKey, email: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, 'quittance', `mail-${purpose}`, 32));
  const text = JSON.stringify([merchant, wallet, email]);
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, PROOF_LENGTH);
}

/** The link that ends a member's notices, or confirms its address. It holds for the present address only. */
export function memberUrl(purpose: LinkPurpose, settings: LinkSettings, key: MemberKey, email: string): string {
  const proof = proofOf(purpose, settings.keyEncryptionKey, key, email);
  return `${settings.baseUrl}/mail/${purpose}?${new URLSearchParams({ m: key.merchant, w: key.wallet, k: proof })}`;
}

/** The member that an address names; null if it names none. It proves nothing yet. */
export function memberIn(query: { readonly m?: unknown; readonly w?: unknown }): MemberKey | null {
  const [merchant, wallet] = [parseWallet(query.m), parseWallet(query.w)];
  return merchant && wallet && { merchant, wallet };
}

/** Whether the proof of an address is that of the member's present address. */
export function provesLink(
  purpose: LinkPurpose,
  settings: LinkSettings,
  key: MemberKey,
  email: string,
  given: unknown,
): boolean {
  if (typeof given !== 'string') return false;
  return [settings.keyEncryptionKey, settings.previousKeyEncryptionKey].some(
    (secret) => secret !== null && sameSecret(proofOf(purpose, secret, key, email), given),
  );
}
