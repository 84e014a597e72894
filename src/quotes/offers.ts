import type { Chain } from '../chain/client.ts';
import type { Token } from '../chain/token.ts';
import { Refusal, refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { type ReadRate, usdPerToken } from '../fx/usd-per-token.ts';
import type { Deps } from '../platform/deps.ts';
import { query } from '../platform/query.ts';
import { isStillDeployed, requestDeployment } from '../splits/deployed.ts';
import { gridFor } from './amounts.ts';

/** A token of the chain, and whether a merchant can be paid in it now. */
export interface Offer {
  readonly symbol: string;
  /** The ERC-20 contract; null for the chain's native coin. */
  readonly address: Wallet | null;
  readonly decimals: number;
  readonly name: string;
  readonly offered: boolean;
  /** One sentence for the buyer; null if the token is offered. */
  readonly reason: string | null;
}

/**
 * The state of a split that decides whether native coins are offered: only a deployed splitter with verified code emits
 * events for the coins that it receives.
 */
export interface PayableSplit {
  readonly address: Wallet;
  readonly verified: boolean;
  readonly deployed: boolean;
  /** The operator has suspended the merchant: it takes no new payments. */
  readonly suspended: boolean;
}

const NAMES: Readonly<Record<string, string>> = {
  USDC: 'USD Coin',
  USDT: 'Tether USD',
  EURC: 'Euro Coin',
  ETH: 'Ether',
  DAI: 'Dai',
};

const ACTIVE_SPLIT = query(
  'payments-active-split',
  (db, $: { merchant: Wallet; chainId: number }) =>
    db
      .selectFrom('Split as s')
      .leftJoin('Merchant as m', 'm.wallet', 's.merchant')
      .select(['s.address', 's.verified', 's.deployed'])
      .select((eb) => eb('m.suspendedAt', 'is not', null).$castTo<boolean>().as('suspended'))
      .where('s.merchant', '=', $.merchant)
      .where('s.chainId', '=', $.chainId)
      .where('s.replacedAt', 'is', null),
  { computed: { suspended: 'bool' } },
);

/** The merchant's current split. Refuses with `split_required`. */
export async function activeSplit(
  deps: Pick<Deps, 'sql'> & { chain: Pick<Chain, 'chainId'> },
  merchant: Wallet,
): Promise<PayableSplit> {
  const [split] = await deps.sql.run(ACTIVE_SPLIT, { merchant, chainId: deps.chain.chainId });
  if (!split) throw refuse('split_required');
  return split;
}

/**
 * The chain's tokens in order, the default token first, each with whether the merchant can be paid in it. Refuses with
 * `split_required`.
 */
export async function listOffers(
  deps: Pick<Deps, 'sql' | 'chain' | 'log'> & { readRate: ReadRate },
  merchant: Wallet,
): Promise<Offer[]> {
  const split = await activeSplit(deps, merchant);
  return Promise.all(
    deps.chain.tokens.map(async (token) => {
      const reason = (await whyNot(deps, token, split)) ?? (await whyUnpriced(deps.readRate, token));
      return { ...token, name: NAMES[token.symbol] ?? token.symbol, offered: reason === null, reason };
    }),
  );
}

/** A token of one of the server's chains. */
export interface ChainOffer extends Offer {
  readonly chainId: number;
}

/**
 * The tokens of all chains on which the merchant has a split, those of the first chain first. Refuses with
 * `split_required` if there is none on the first chain.
 */
export async function listChainOffers(
  deps: Pick<Deps, 'sql' | 'chains' | 'log'> & { readRate: ReadRate },
  merchant: Wallet,
): Promise<ChainOffer[]> {
  const lists = await Promise.all(
    deps.chains.map(async (chain, i) => {
      const offers = await listOffers({ ...deps, chain }, merchant).catch((error: unknown) => {
        if (i > 0 && error instanceof Refusal && error.code === 'split_required') return [];
        throw error;
      });
      return offers.map((offer) => ({ ...offer, chainId: chain.chainId }));
    }),
  );
  return lists.flat();
}

/**
 * Why a token cannot be paid to a split, in one sentence for the buyer; null if it can. Native coins are offered only
 * if the split's code is on chain, which is checked there. The first request for them has it deployed.
 */
export async function whyNot(
  deps: Pick<Deps, 'sql' | 'chain' | 'log'>,
  token: Token,
  split: PayableSplit,
): Promise<string | null> {
  if (split.suspended) return 'This shop does not take payments at the moment.';
  if (!deps.chain.offering.open) return `${token.symbol} will be offered shortly: the chain does not answer.`;
  if (token.address !== null) return null;
  if (!split.verified) return `${token.symbol} is not offered by this merchant.`;
  if (split.deployed && (await isStillDeployed(deps, split.address))) return null;
  await requestDeployment(deps, split.address);
  return `${token.symbol} will be offered shortly: the merchant's contract is being set up.`;
}

async function whyUnpriced(readRate: ReadRate, token: Token): Promise<string | null> {
  try {
    const usdPerUnit = await usdPerToken(readRate, token);
    return gridFor('1', { ...token, usdPerUnit }).tags > 0 ? null : `${token.symbol} has too few decimals.`;
  } catch (error) {
    if (error instanceof Refusal) return `There is no current price for ${token.symbol}.`;
    throw error;
  }
}
