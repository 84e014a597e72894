import type { Kysely } from 'kysely';
import { defineLifecycle } from '../../../base/core/lifecycle.ts';
import type { Database } from '../../../base/platform/postgres/database.ts';

/**
 * The state of an endpoint. `enabled`: it receives the events of its kinds. `disabled`: it receives nothing, by the
 * admin's choice, because every attempt has failed for five days, or because the key that registered it has ended.
 */
export const ENDPOINT = defineLifecycle(['enabled', 'disabled'], { enabled: ['disabled'], disabled: ['enabled'] });

export type EndpointState = (typeof ENDPOINT.statuses)[number];

/** Why an endpoint is disabled: an admin did it, it failed for too long, or its key has ended. */
export type DisabledReason = 'by_admin' | 'failing' | 'key_ended';

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
      state: 'enabled',
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      enabledAt: at,
      updatedAt: at,
    })
    .where('state', 'in', ENDPOINT.before('enabled'));
