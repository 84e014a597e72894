import { refuse } from '../../../base/core/errors.ts';
import { newId, newUuid } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { checkTarget, createGuardedClient, type Resolve } from '../../../base/outgoing/guarded-request.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { listKeys } from '../../access/keys/list.ts';
import { signingKey } from '../../access/keys/signing.ts';
import { endpointMissing } from '../endpoints/read.ts';
import { signingKeysOf } from '../endpoints/secrets.ts';
import { bodyOf } from '../events/events.ts';
import { TEST_KIND } from '../events/kinds.ts';
import { BRAND_KEY } from './enqueue.ts';
import { type AttemptResult, deliver } from './send.ts';
import { deliveryHeaders, endpointHeaders, PING_EVENT, secretOf } from './sign.ts';

type TestEventsDeps = Pick<Deps, 'db' | 'settings' | 'clock'>;

/** The result of a test event. */
export interface Ping extends AttemptResult {
  readonly deliveryId: string;
  /** The key that signed it. */
  readonly keyId: string;
  /** The body exactly as sent. */
  readonly body: string;
}

/**
 * Sends one test event to an endpoint and returns its response. The event has the headers and signatures of any
 * delivery but its own event type, so that no receiver mistakes it for a receipt event. It is neither stored nor
 * retried. It is signed with the given key, else with the merchant's newest key that is not revoked. The URL policy of
 * webhooks applies.
 *
 * Refuses with `invalid_input` for a URL that is not allowed, or if there is no key to sign with; with `not_found` for
 * another merchant's key.
 */
export async function pingWebhook(
  deps: TestEventsDeps,
  merchant: Wallet,
  { url, keyId }: { readonly url: string; readonly keyId?: string | null },
  resolve?: Resolve,
): Promise<Ping> {
  const policy = { allowInsecure: deps.settings.webhookAllowInsecure };
  checkTarget(url, policy, 'url');
  const key = await chooseKey(deps.db, merchant, keyId ?? null);
  const [brand] = await deps.db.run(BRAND_KEY, { merchant });
  const deliveryId = newUuid();
  const body = JSON.stringify({
    event: PING_EVENT,
    merchantWallet: merchant,
    brandKey: brand?.brandKey ?? null,
    timestamp: deps.clock(),
  });
  const client = createGuardedClient({ ...policy, resolve });
  try {
    const secret = secretOf(await signingKey(deps.db, deps.settings, key));
    const result = await deliver({ client, clock: deps.clock }, { url, body }, (sent, now) =>
      deliveryHeaders(secret, { id: deliveryId, event: PING_EVENT, body: sent }, now),
    );
    return { ...result, deliveryId, keyId: key, body };
  } finally {
    client.close();
  }
}

async function chooseKey(db: Db, merchant: Wallet, keyId: string | null): Promise<string> {
  const keys = await listKeys(db, merchant);
  const chosen = keys.find(({ id, revokedAt }) => (keyId === null ? revokedAt === null : id === keyId));
  if (chosen) return chosen.id;
  if (keyId !== null) throw refuse('not_found', 'No such key');
  throw refuse('invalid_input', 'There is no key to sign with: issue one first', { field: 'keyId', reason: 'no_key' });
}

/** The result of a test event for an endpoint. */
export interface EndpointTest extends AttemptResult {
  readonly eventId: string;
  /** The body exactly as sent. */
  readonly body: string;
}

const TARGET = query('webhook-endpoint-target', (db, $: { merchant: Wallet; id: string }) =>
  db
    .selectFrom('WebhookEndpoint')
    .select(['id', 'url', 'sealedSecret', 'previousSecrets'])
    .where('merchant', '=', $.merchant)
    .where('id', '=', $.id),
);

/**
 * Sends one event of type `ping` to an endpoint, also to a disabled one, signed as every event, and returns its
 * response. The event is neither stored nor retried. Refuses with `not_found`.
 */
export async function testEndpoint(
  deps: TestEventsDeps,
  merchant: Wallet,
  id: string,
  resolve?: Resolve,
): Promise<EndpointTest> {
  const endpoint = (await deps.db.run(TARGET, { merchant, id }))[0] ?? endpointMissing();
  const at = deps.clock();
  const event = { id: newId('evt', at), kind: TEST_KIND, at, data: { endpointId: id } };
  const body = bodyOf(event);
  const keys = signingKeysOf(deps.settings, endpoint, at);
  const client = createGuardedClient({ allowInsecure: deps.settings.webhookAllowInsecure, resolve });
  const subject = { id: event.id, eventId: event.id, event: TEST_KIND };
  try {
    const result = await deliver({ client, clock: deps.clock }, { url: endpoint.url, body }, (sent, now) =>
      endpointHeaders(keys, { ...subject, body: sent }, now),
    );
    return { ...result, eventId: event.id, body };
  } finally {
    client.close();
  }
}
