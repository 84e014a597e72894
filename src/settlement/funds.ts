import { InsufficientFundsError } from 'viem';
import { findError } from '../chain/client.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Logger } from '../platform/log.ts';

/** The state of the settlement wallet's coins for gas. */
export interface Funds {
  /**
   * Whether the error means that the wallet cannot pay for its transaction. If so, raises `settlement_out_of_funds`, at
   * most once an hour.
   */
  ranOut(error: unknown, sender: Wallet): boolean;
  /** Whether the wallet ran out of funds recently; nothing is sent meanwhile. */
  areSpent(): boolean;
  /** Records an accepted transaction, so that the next shortage raises the alert again. */
  sufficed(): void;
}

const PAUSE_MS = 30_000;
const ALARM_MS = 3_600_000;

/** @param clock in milliseconds, monotonic */
export function createFunds(log: Logger, clock: () => number): Funds {
  let ranOutAt = Number.NEGATIVE_INFINITY;
  let alarmedAt = Number.NEGATIVE_INFINITY;
  return {
    ranOut(error, sender) {
      if (!findError(error, InsufficientFundsError)) return false;
      ranOutAt = clock();
      if (clock() - alarmedAt >= ALARM_MS) {
        alarmedAt = clock();
        log.error({ alert: 'settlement_out_of_funds', wallet: sender }, 'settlement wallet cannot pay for gas');
      }
      return true;
    },
    areSpent: () => clock() - ranOutAt < PAUSE_MS,
    sufficed() {
      alarmedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
