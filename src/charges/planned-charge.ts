import type { Hex } from 'viem';
import type { PermissionPeriod } from '../chain/spend-permissions.ts';
import type { Wallet } from '../core/wallet.ts';
import type { DueSubscription } from './due-scan.ts';

/** A charge that was tried out and would go through. */
export interface ReadyCharge {
  readonly subscription: DueSubscription & { readonly split: Wallet };
  readonly period: PermissionPeriod;
  /** Base units. */
  readonly amount: bigint;
  /** The token's symbol. */
  readonly token: string;
  readonly gas: bigint;
  readonly signature: Hex;
}

/** A charge with its place in the books. */
export interface PlannedCharge extends ReadyCharge {
  readonly id: string;
  readonly receiptId: string;
  /** The same period was tried before, and failed. */
  readonly again: boolean;
}
