import Big from 'big.js';
import type { Chain } from '../../../base/chain/client.ts';
import type { Token } from '../../../base/chain/token.ts';
import { nativeCoin } from '../../../base/chain/tokens.ts';
import { readTransactionCost, readTransferFee } from '../../../base/chain/transfer-fee.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { configuredRates, type ReadRate, rateAt, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { worthOf } from './amounts.ts';

/** What a collection needs, in gas: for the transaction, for each payee, and for each address, whose code it makes. */
const BASE_GAS = 35_000n;
const PAYEE_GAS = 45_000n;
const ADDRESS_GAS = 62_000n;
/** The size of its data, in bytes: of the call without lists, and of each entry of a list. */
const BASE_BYTES = 320;
const ENTRY_BYTES = 32;

/** The size of a collection of `count` addresses. */
const usualSize = (payees: number, count: number) => ({
  gas: BASE_GAS + PAYEE_GAS * BigInt(payees) + ADDRESS_GAS * BigInt(count),
  bytes: BASE_BYTES + ENTRY_BYTES * (payees + count),
});

/** In US dollars. */
const CENT = '0.01';

/** What the rule depends on. */
export type CostDeps = Pick<Deps, 'db' | 'settings' | 'chain' | 'clock' | 'rates'>;

/** An amount at an address. */
export interface CollectionItem {
  /** Base units. */
  readonly amount: string;
  /** Whether the merchant asks for it, whatever it costs. */
  readonly isRequested: boolean;
}

/**
 * Whether an item is worth its share of the cost of a collection of `count` items. `gas` is what the collection needs,
 * if it was estimated: the payees' own code may need more than usual.
 */
export type CostRule = (item: Pick<CollectionItem, 'amount'>, count: number, gas?: bigint) => boolean;

/**
 * The rule at present prices: an item's share of the cost is at most `SWEEP_MAX_COST_PCT` of what it moves. Where the
 * chain's coin has no price, its share is at most `SWEEP_MAX_COST` coins, and less than a cent is not worth it; without
 * that setting nothing is. Throws `chain_unavailable`.
 */
export async function createCostRule(deps: CostDeps, token: Token, payees: number): Promise<CostRule> {
  const { maxCostPct, maxCost } = deps.settings.settlement.sweeps;
  if (maxCostPct === null) return () => true;
  const coin = nativeCoin(deps.chain);
  const readRate = configuredRates(deps);
  const [coinUsd, tokenUsd, costOf] = await Promise.all([
    rateAt(readRate, coin, deps.clock()),
    rateAt(readRate, token, deps.clock()),
    readTransactionCost(deps.chain),
  ]);
  if (costOf === null) return () => false;
  const shareOf = (count: number, estimated: bigint | undefined): Big => {
    const usual = usualSize(payees, count);
    return new Big(String(costOf({ ...usual, gas: estimated ?? usual.gas }))).div(count);
  };
  const isCoin = token.address === null;
  if (coinUsd !== null && tokenUsd !== null) {
    return ({ amount }, count, gas) => {
      const usd = worthOf(BigInt(amount), { decimals: token.decimals, usdPerUnit: tokenUsd });
      const share = shareOf(count, gas).div(new Big(10).pow(coin.decimals)).times(coinUsd);
      return share.times(100).lte(usd.times(maxCostPct));
    };
  }
  if (isCoin) return ({ amount }, count, gas) => shareOf(count, gas).times(100).lte(new Big(amount).times(maxCostPct));
  if (maxCost === null) return () => false;
  const most = new Big(maxCost).times(new Big(10).pow(coin.decimals));
  // The limit is the same for every amount: without this, anyone has dust collected at the server's expense.
  const isDust = (amount: string) =>
    tokenUsd !== null && worthOf(BigInt(amount), { decimals: token.decimals, usdPerUnit: tokenUsd }).lt(CENT);
  return ({ amount }, count, gas) => !isDust(amount) && shareOf(count, gas).lte(most);
}

/** How many receipts are usually collected together. */
const USUAL = 10;

/**
 * Whether the usual share in a collection is more than the server spends on a receipt of these cents, so that its money
 * would wait. False while prices are unknown, and without a wallet that collects.
 */
export async function isTooDear(
  deps: Pick<Deps, 'settings' | 'chain'> & { readonly readRate: ReadRate },
  payees: number,
  totalCents: number,
): Promise<boolean> {
  const { settlement, settlementPrivateKey } = deps.settings;
  const { maxCostPct } = settlement.sweeps;
  if (maxCostPct === null || settlementPrivateKey === null) return false;
  const coin = nativeCoin(deps.chain);
  const [coinUsd, costOf] = await Promise.all([
    usdPerToken(deps.readRate, coin).catch(() => null),
    readTransactionCost(deps.chain),
  ]);
  if (coinUsd === null || costOf === null) return false;
  const share = new Big(String(costOf(usualSize(payees, USUAL)))).div(USUAL).div(new Big(10).pow(coin.decimals));
  return share.times(coinUsd).times(10_000).gt(new Big(totalCents).times(maxCostPct));
}

/**
 * The items to collect together, at most `limit`: those that were asked for, and as many others as are worth their
 * share. More items make the share of each smaller, so the largest amounts are taken first.
 */
export function worthCollecting<Item extends CollectionItem>(
  isWorth: CostRule,
  items: readonly Item[],
  limit: number,
): readonly Item[] {
  const byAmount = [...items].sort(
    (a, b) => Number(b.isRequested) - Number(a.isRequested) || (BigInt(b.amount) > BigInt(a.amount) ? 1 : -1),
  );
  const chosen = byAmount.slice(0, limit);
  while (chosen.length > 0) {
    const smallest = chosen.at(-1)!;
    if (smallest.isRequested || isWorth(smallest, chosen.length)) return chosen;
    chosen.pop();
  }
  return chosen;
}

/** The approximate network fee of a token transfer at present, in US dollars; null if fee or rate is unknown. */
export async function networkFeeUsd(
  { chain, readRate }: { readonly chain: Chain; readonly readRate: ReadRate },
  token: Pick<Token, 'address'>,
): Promise<Big | null> {
  const coin = nativeCoin(chain);
  const [fee, usdPerUnit] = await Promise.all([
    readTransferFee(chain, token.address === null ? 'coin' : 'token'),
    usdPerToken(readRate, coin).catch(() => null),
  ]);
  return fee === null || usdPerUnit === null ? null : worthOf(fee, { decimals: coin.decimals, usdPerUnit });
}
