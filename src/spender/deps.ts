import type { Deps } from '../platform/deps.ts';

/** Dependencies of the code that sends the spender's transactions. */
export type SpenderDeps = Pick<Deps, 'sql' | 'orm' | 'boss' | 'bus' | 'clock' | 'chain' | 'settings' | 'log'>;
