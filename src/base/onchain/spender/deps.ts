import type { Deps } from '../../platform/deps.ts';

/** Dependencies of the lane: the code that signs, stores, sends and follows transactions. */
export type LaneDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'settings' | 'log'>;

/** Dependencies of the code that charges with the spender's transactions. */
export type SpenderDeps = LaneDeps & Pick<Deps, 'bus' | 'moneyOnItsWay'>;

/** Dependencies of the work of every chain: `chain` is the first one. */
export type SpendersDeps = SpenderDeps & Pick<Deps, 'chains'>;
