import type { Hex } from 'viem';
import type { PermissionPeriod } from '../../../base/chain/spend-permissions.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { DueSubscription } from './due-scan.ts';

/** A charge whose simulation succeeded. */
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

/** A charge with the ids of its charge record and receipt. */
export interface PlannedCharge extends ReadyCharge {
  readonly id: string;
  readonly receiptId: string;
  /** True if an earlier attempt for the same period failed. */
  readonly again: boolean;
}
