import { defineLifecycle } from '../../../base/core/lifecycle.ts';

/**
 * The state of an endpoint. `enabled`: it receives the events of its kinds. `disabled`: it receives nothing, by the
 * admin's choice or because every attempt has failed for five days.
 */
export const ENDPOINT = defineLifecycle(['enabled', 'disabled'], { enabled: ['disabled'], disabled: ['enabled'] });

export type EndpointState = (typeof ENDPOINT.statuses)[number];

/** Why an endpoint is disabled: an admin did it, or it failed for too long. */
export type DisabledReason = 'by_admin' | 'failing';
