import type { Kysely } from 'kysely';
import type { Database } from '../../../base/platform/postgres/database.ts';
import { type DisabledReason, ENDPOINT } from './lifecycle.ts';

/**
 * The only updates of an endpoint's state. They move endpoints that may move; the caller adds which ones. `at` in epoch
 * ms.
 */
export const disableEndpoints = (db: Kysely<Database>, reason: DisabledReason, at: number) =>
  db
    .updateTable('WebhookEndpoint')
    .set({ state: 'disabled', disabledReason: reason, disabledAt: at, updatedAt: at })
    .where('state', 'in', ENDPOINT.before('disabled'));

/** An enabled endpoint receives the events from now on. */
export const enableEndpoints = (db: Kysely<Database>, at: number) =>
  db
    .updateTable('WebhookEndpoint')
    .set({
      ...{ state: 'enabled', disabledReason: null, disabledAt: null, failingSince: null },
      ...{ enabledAt: at, updatedAt: at },
    })
    .where('state', 'in', ENDPOINT.before('enabled'));
