import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { boundedCache } from '../../core/bounded-cache.ts';
import { weakMemo } from '../../core/weak-memo.ts';
import type { Settings } from '../../platform/deps.ts';
import { decrypt, encrypt } from '../../platform/secrets.ts';
import type { WebhookEndpoint } from './endpoint.entity.ts';

const PREFIX = 'whsec_';

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** Encrypts a secret for its endpoint. */
export const sealSecret = (settings: Settings, endpointId: string, secret: string): string =>
  encrypt(settings.keyEncryptionKey, endpointId, secret);

const OPENED = 1_000;
const openedBy = weakMemo((_settings: Settings) => boundedCache<string, KeyObject>({ max: OPENED }));

/** The key of an encrypted secret. A secret never changes, so it is cached in memory. */
function openSecret(settings: Settings, endpointId: string, sealed: string): KeyObject {
  const opened = openedBy(settings);
  const known = opened.get(sealed);
  if (known) return known;
  const secret = decrypt(settings.keyEncryptionKey, endpointId, sealed);
  const key = createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'));
  opened.set(sealed, key);
  return key;
}

/** The keys that sign at `now`, epoch ms: the current secret's, then those of replaced secrets that are still valid. */
export const signingKeysOf = (
  settings: Settings,
  { id, sealedSecret, previousSecrets }: Pick<WebhookEndpoint, 'id' | 'sealedSecret' | 'previousSecrets'>,
  now: number,
): KeyObject[] =>
  [sealedSecret, ...stillValid(previousSecrets, now).map(({ sealed }) => sealed)].map((sealed) =>
    openSecret(settings, id, sealed),
  );

/** The replaced secrets that still sign at `now`, epoch ms. */
export const stillValid = (previous: WebhookEndpoint['previousSecrets'], now: number) =>
  previous.filter(({ until }) => until > now);
