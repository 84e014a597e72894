import type { Caller } from '../../../base/core/caller.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { GatewayRequest } from './request.ts';

export type GatewayDeps = Pick<Deps, 'db' | 'settings' | 'clock'>;

/**
 * One way to authenticate. Null: this proof was not presented. Refuses with `unauthorized` if it is invalid, so that a
 * caller with an invalid proof is never treated as anonymous.
 */
export type Strategy = (deps: GatewayDeps, request: GatewayRequest) => Caller | null | Promise<Caller | null>;
