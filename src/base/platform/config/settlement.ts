import type { Given } from './given.ts';

/** When the settlement wallet spends gas. */
export interface SettlementConfig {
  readonly sweeps: {
    /** The most that collecting or releasing may cost, in percent of what it moves. Null: no limit. */
    readonly maxCostPct: string | null;
    /** The same in coins, as decimal text, where the chain's coin has no price. Null: nothing is collected there. */
    readonly maxCost: string | null;
    /** Collections for one merchant within 24 hours. Null: no limit. */
    readonly perDay: number | null;
  };
  /** Splits deployed for one merchant within 24 hours. Null: no limit. */
  readonly deploymentsPerDay: number | null;
  /** Splits deployed for all merchants within 24 hours. Null: no limit. */
  readonly deploymentsPerDayTotal: number | null;
  /** Releases that one merchant may ask for within 24 hours. Null: no limit. */
  readonly requestsPerDay: number | null;
  /** Whether a split is deployed only when it is needed on the chain, and not when it is configured. */
  readonly deployOnDemand: boolean;
}

/** When gas is spent, with the defaults. `local`: whether the first chain is the local one, where gas costs nothing. */
export const readSettlement = (given: Given, local: boolean): SettlementConfig => ({
  sweeps: {
    maxCostPct: given.SWEEP_MAX_COST_PCT === undefined ? (local ? null : '0.25') : String(given.SWEEP_MAX_COST_PCT),
    maxCost: given.SWEEP_MAX_COST === undefined ? null : String(given.SWEEP_MAX_COST),
    perDay: given.SWEEPS_PER_DAY ?? (local ? null : 500),
  },
  deploymentsPerDay: given.SPLIT_DEPLOYMENTS_PER_DAY ?? (local ? null : 5),
  deploymentsPerDayTotal: given.SPLIT_DEPLOYMENTS_PER_DAY_TOTAL ?? (local ? null : 50),
  requestsPerDay: given.RELEASE_REQUESTS_PER_DAY ?? (local ? null : 20),
  deployOnDemand: !local,
});
