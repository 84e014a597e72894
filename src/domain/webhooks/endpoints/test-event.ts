import { newId } from '../../../base/core/ids.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { createGuardedClient, type Resolve } from '../../../base/outgoing/guarded-request.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type AttemptResult, deliver } from '../deliver.ts';
import { TEST_KIND } from '../events/kinds.ts';
import { bodyOf } from '../events/raise-events.ts';
import { endpointHeaders } from '../sign.ts';
import { endpointMissing } from './read-endpoints.ts';
import { signingKeysOf } from './secrets.ts';

/** The result of a test event. */
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
  deps: Pick<Deps, 'sql' | 'settings' | 'clock'>,
  merchant: Wallet,
  id: string,
  resolve?: Resolve,
): Promise<EndpointTest> {
  const endpoint = (await deps.sql.run(TARGET, { merchant, id }))[0] ?? endpointMissing();
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
