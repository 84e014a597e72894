import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { boundedCache } from '../../../base/core/caches.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Settings } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { SealedValues } from '../../../base/platform/sealed-values.ts';
import { seal, unseal } from '../../../base/platform/secrets.ts';
import type { PreviousSecret, WebhookEndpoint } from './endpoint.entity.ts';

const PREFIX = 'whsec_';

/** A new secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** Encrypts a secret for its endpoint. */
export const sealSecret = (settings: Settings, endpointId: string, secret: string): string =>
  seal(settings, endpointId, secret);

const OPENED = 1_000;
const openedBy = keptBy('secrets of endpoints', (_settings: Settings) =>
  boundedCache<string, KeyObject>({ max: OPENED }),
);

/** The key of an encrypted secret. A secret never changes, so it is cached in memory. */
function openSecret(settings: Settings, endpointId: string, sealed: string): KeyObject {
  const opened = openedBy(settings);
  const known = opened.get(sealed);
  if (known) return known;
  const secret = unseal(settings, endpointId, sealed);
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

const SEALED_PAGE = query('endpoints-sealed-page', (db, $: { after: string; limit: number }) =>
  db
    .selectFrom('WebhookEndpoint')
    .select(['id', 'sealedSecret', 'previousSecrets'])
    .where('id', '>', $.after)
    .orderBy('id')
    .limit($.limit),
);
const PREVIOUS = query('endpoint-previous-secrets', (db, $: { id: string; known: string }) =>
  db.selectFrom('WebhookEndpoint').select('previousSecrets').where('id', '=', $.id).where('sealedSecret', '=', $.known),
);
const RESEAL = query('endpoint-reseal', (db, $: { id: string; known: string; sealed: string; previous: string }) =>
  db
    .updateTable('WebhookEndpoint')
    .set({ sealedSecret: $.sealed, previousSecrets: sql<readonly PreviousSecret[]>`${$.previous}::jsonb` })
    .where('id', '=', $.id)
    .where('sealedSecret', '=', $.known),
);

/** The encrypted secrets of endpoints, with those that were replaced. Each rotation changes the current one. */
export const sealedSecrets: SealedValues = {
  what: 'webhook endpoints',
  page: async (database, after, limit) =>
    (await database.run(SEALED_PAGE, { after, limit })).map(({ id, sealedSecret, previousSecrets }) => ({
      at: id,
      values: [sealedSecret, ...previousSecrets.map(({ sealed }) => sealed)].map((sealed) => ({ context: id, sealed })),
    })),
  replace: async (database, { at: id, values }, [sealed, ...others]) => {
    const known = values[0]!.sealed;
    const [row] = await database.run(PREVIOUS, { id, known });
    if (!row) return;
    const previous = row.previousSecrets.map(({ until }, n) => ({ sealed: others[n]!, until }));
    await database.run(RESEAL, { id, known, sealed: sealed!, previous: JSON.stringify(previous) });
  },
};
