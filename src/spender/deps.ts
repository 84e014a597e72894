import type { Deps } from '../platform/deps.ts';

/** What charging stands on. */
export type SpenderDeps = Pick<Deps, 'sql' | 'orm' | 'boss' | 'bus' | 'clock' | 'chain' | 'settings' | 'log'>;
