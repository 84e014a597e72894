import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { keptBy } from '../../../base/core/kept.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { sameSecret } from '../../../base/platform/secrets.ts';
import type { ReceiptRow } from './read.ts';

type KeySettings = Pick<Settings, 'keyEncryptionKey'> & Partial<Pick<Settings, 'previousKeyEncryptionKey'>>;
type Named = Pick<ReceiptRow, 'id' | 'merchant' | 'origin'>;

/** 128 bits, as base64url. */
const KEY_LENGTH = 22;

/** Derived from `KEY_ENCRYPTION_KEY`, so that links stay valid when `JWT_SECRET` is rotated. */
const signingKeysOf = keptBy(
  'keys of payment links',
  ({ keyEncryptionKey, previousKeyEncryptionKey = null }: KeySettings) => ({
    current: signingKey(keyEncryptionKey),
    previous: previousKeyEncryptionKey === null ? null : signingKey(previousKeyEncryptionKey),
  }),
);

const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'quittance', 'payment-link', 32)));

/**
 * The query parameter `k` that makes the payment page of a receipt with a caller-chosen id unguessable: an HMAC over
 * merchant and id. Null for a receipt with an id made by the server, which cannot be guessed.
 */
export const paymentKey = (settings: KeySettings, receipt: Named): string | null =>
  receipt.origin === 'receipt' ? keyWith(signingKeysOf(settings).current, receipt) : null;

function keyWith(signing: KeyObject, { merchant, id }: Named): string {
  const text = JSON.stringify([merchant, id]);
  return createHmac('sha256', signing).update(text).digest('base64url').slice(0, KEY_LENGTH);
}

/** Whether this `k` grants write access to the page of the receipt. A wrong `k` counts as none. */
export function opensForWriting(settings: KeySettings, receipt: Named, given: unknown): boolean {
  const key = paymentKey(settings, receipt);
  if (key === null) return true;
  if (typeof given !== 'string') return false;
  const { previous } = signingKeysOf(settings);
  return sameSecret(key, given) || (previous !== null && sameSecret(keyWith(previous, receipt), given));
}

/** The valid `k` of a request, for the links of its page; null if the receipt needs none or the given one is wrong. */
export const keyIn = (settings: KeySettings, receipt: Named, given: unknown): string | null =>
  opensForWriting(settings, receipt, given) ? paymentKey(settings, receipt) : null;

/** The address of a receipt's payment page, with `recipient`, the return address for the card provider, and the key. */
export function paymentUrl(
  settings: KeySettings & Pick<Settings, 'baseUrl'>,
  receipt: Named & { readonly redirectUrl?: string | null },
): string {
  const query = new URLSearchParams({ recipient: receipt.merchant });
  if (receipt.redirectUrl) query.set('redirect_url', receipt.redirectUrl);
  return `${settings.baseUrl}/portal/${withKey(settings, receipt, query)}`;
}

/** The address at which programs pay a receipt with HTTP 402. It shows what the payment page shows. */
export const x402Url = (settings: KeySettings & Pick<Settings, 'baseUrl'>, receipt: Named): string =>
  `${settings.baseUrl}/x402/${withKey(settings, receipt, new URLSearchParams({ recipient: receipt.merchant }))}`;

function withKey(settings: KeySettings, receipt: Named, query: URLSearchParams): string {
  const key = paymentKey(settings, receipt);
  if (key !== null) query.set('k', key);
  return `${encodeURIComponent(receipt.id)}?${query}`;
}
