import type { SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import type { Backoff } from '../../../base/platform/backoff.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import type { Place, Rests } from './place-walk.ts';

/** The dependencies of settlement. */
export type SettlementDeps = Pick<Deps, 'db' | 'settings' | 'bus' | 'chain' | 'clock' | 'rates' | 'log'>;

/** The dependencies of a round that sends, with the state that rounds share. */
export interface SendDeps extends SettlementDeps {
  readonly wallet: SigningWallet;
  readonly backoff: Backoff;
  readonly rests: Rests;
  readonly pause: Pause;
  /** The places whose release was asked for since the last call. */
  asked(): Promise<Place[]>;
  /** The subjects of the wallet's transactions that are in no block yet: split addresses, and payees of releases. */
  readonly open: ReadonlySet<string>;
}

/** Stops sending for half a minute after the wallet could not pay, or after the fees were above the ceiling. */
export interface Pause {
  begin(): void;
  lasts(): boolean;
}

const PAUSE_MS = 30_000;

/** @param clock in milliseconds, monotonic */
export function createPause(clock: () => number): Pause {
  let until = Number.NEGATIVE_INFINITY;
  return {
    begin() {
      until = clock() + PAUSE_MS;
    },
    lasts: () => clock() < until,
  };
}
