import { refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { query, type RowOf } from '../../../base/platform/postgres/query.ts';

/** The columns of an endpoint that its merchant sees, and the replaced secrets for their times. */
export const SHOWN = [
  'id',
  'issuer',
  'keyId',
  'url',
  'description',
  'kinds',
  'state',
  'disabledReason',
  'disabledAt',
  'failingSince',
  'previousSecrets',
  'createdAt',
  'updatedAt',
] as const;

const OF_MERCHANT = query('webhook-endpoints', (db, $: { merchant: Wallet }) =>
  db.selectFrom('WebhookEndpoint').select(SHOWN).where('merchant', '=', $.merchant).orderBy('createdAt').orderBy('id'),
);
const ONE = query('webhook-endpoint', (db, $: { merchant: Wallet; id: string }) =>
  db.selectFrom('WebhookEndpoint').select(SHOWN).where('merchant', '=', $.merchant).where('id', '=', $.id),
);

/** An endpoint as its merchant sees it. Times in epoch ms. */
export type EndpointRecord = Readonly<RowOf<typeof ONE>>;

/** A merchant's endpoints, oldest first. With `keyId`, those that this key registered. */
export async function listEndpoints(db: Db, merchant: Wallet, keyId: string | null = null): Promise<EndpointRecord[]> {
  const endpoints = await db.run(OF_MERCHANT, { merchant });
  return keyId === null ? endpoints : endpoints.filter((endpoint) => endpoint.keyId === keyId);
}

/** One endpoint of a merchant. Refuses with `not_found`. */
export async function readEndpoint(db: Db, merchant: Wallet, id: string): Promise<EndpointRecord> {
  const [endpoint] = await db.run(ONE, { merchant, id });
  return endpoint ?? endpointMissing();
}

/** Refuses with `not_found`. */
export function endpointMissing(): never {
  throw refuse('not_found', 'Endpoint not found');
}

/** The most failing endpoints that are listed. */
const FAILING_MAX = 100;
const FAILING = query('webhook-endpoints-failing', (db, _: object) =>
  db
    .selectFrom('WebhookEndpoint')
    .select(['merchant', 'id', 'url', 'state', 'failingSince'])
    .where('failingSince', 'is not', null)
    .orderBy('failingSince')
    .orderBy('id')
    .limit(FAILING_MAX),
);

/** An endpoint whose attempts fail. Times in epoch ms. */
export type FailingEndpoint = Readonly<RowOf<typeof FAILING>>;

/** The endpoints of all merchants whose attempts fail, the longest first. At most 100. For the operator only. */
export const listFailingEndpoints = (db: Db): Promise<FailingEndpoint[]> => db.run(FAILING, {});
