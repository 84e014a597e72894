import { InsufficientFundsError } from 'viem';
import { findError } from '../chain/client.ts';
import type { Wallet } from '../core/wallet.ts';
import type { Logger } from '../platform/log.ts';

/** What is known of the coins that the settlement wallet pays its gas with. */
export interface Funds {
  /** Whether the error says that the wallet cannot pay for its transaction. Raises `settlement_out_of_funds`, then at most once an hour. */
  ranOut(error: unknown, sender: Wallet): boolean;
  /** Whether the wallet could not pay a short time ago: nothing is sent meanwhile. */
  areSpent(): boolean;
  /** A transaction was accepted: the next shortage raises the alarm again. */
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
        log.error({ alert: 'settlement_out_of_funds', wallet: sender }, 'the settlement wallet cannot pay for gas');
      }
      return true;
    },
    areSpent: () => clock() - ranOutAt < PAUSE_MS,
    sufficed() {
      alarmedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
