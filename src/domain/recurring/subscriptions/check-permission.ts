import type { SpendPermission } from '../../../base/chain/spend-permissions.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { PERIOD_SECONDS } from '../plans/period.ts';
import type { PayableToken } from '../plans/plan-tokens.ts';
import type { PlanRecord } from '../plans/read-plans.ts';
import { priceUnits } from './terms.ts';

/** The requirements that a permission must meet. */
export interface Requirements {
  readonly plan: Pick<PlanRecord, 'priceCents' | 'period'>;
  readonly customer: Wallet;
  /** The contract that charges. */
  readonly spender: Wallet;
  readonly tokens: readonly PayableToken[];
}

/**
 * Refuses with `invalid_permission`, naming the field, if the plan could not be charged by this permission.
 * `checkNotEnded` checks that it has not ended.
 */
export function checkPermission(permission: SpendPermission, { plan, customer, spender, tokens }: Requirements): void {
  if (permission.account !== customer) throw unfit('account', 'must be customerWallet');
  if (permission.spender !== spender) throw unfit('spender', `must be ${spender}`);
  const token = tokens.find(({ address }) => address === permission.token);
  if (!token) {
    const known = tokens.map(({ symbol, address }) => `${address} (${symbol})`).join(', ');
    throw unfit('token', `must be one of ${known || 'no token of this chain'}`);
  }
  const needed = priceUnits(plan.priceCents, token);
  if (BigInt(permission.allowance) < needed) {
    throw unfit('allowance', `must be at least ${needed}, the plan's price in base units of ${token.symbol}`);
  }
  const periodS = PERIOD_SECONDS[plan.period];
  if (permission.period !== periodS) throw unfit('period', `must be ${periodS} seconds, which is ${plan.period}`);
  if (permission.end <= permission.start + permission.period) throw unfit('end', 'must be later than start + period');
}

/** Refuses a permission that has ended. `headMs` is the time of the latest block, epoch ms. */
export function checkNotEnded({ end }: Pick<SpendPermission, 'end'>, headMs: number): void {
  if (end * 1000 <= headMs) throw unfit('end', 'has passed by the time of the latest block');
}

const unfit = (field: string, sentence: string): Refusal =>
  refuse('invalid_permission', `permissionData.${field} ${sentence}`, { field: `permissionData.${field}` });
