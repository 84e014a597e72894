import type { Caller } from '../core/caller.ts';
import type { Deps } from '../platform/deps.ts';
import type { GatewayRequest } from './request.ts';

export type GatewayDeps = Pick<Deps, 'settings' | 'sql' | 'clock'>;

/**
 * One way to prove who is calling. Null: this proof was not presented. Refuses with `unauthorized` where it was and is not valid, so that nobody is
 * taken for anonymous by mistake.
 */
export type Strategy = (deps: GatewayDeps, request: GatewayRequest) => Caller | null | Promise<Caller | null>;
