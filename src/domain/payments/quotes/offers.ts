import { sql } from 'kysely';
import type { Chain } from '../../../base/chain/client.ts';
import { chainName } from '../../../base/chain/names.ts';
import { whyNoAddresses } from '../../../base/chain/receipt-address.ts';
import type { Token } from '../../../base/chain/token.ts';
import { Refusal, refuse } from '../../../base/core/errors.ts';
import { keptBy } from '../../../base/core/kept.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { readUnreadAddresses } from '../../../base/onchain/blocks/cursor.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import { type ReadRate, usdPerToken } from '../../shop/fx/usd-per-token.ts';
import { type Choice, rankIn, whyNotChosen } from '../../shop/merchants/chosen-tokens.ts';
import { isTooDear } from './collection-cost.ts';
import { WHOLE_CHAIN } from './pauses.ts';

/** A token of the chain, and whether a merchant can be paid in it now. */
export interface Offer {
  readonly symbol: string;
  /** The ERC-20 contract; null for the chain's native coin. */
  readonly address: Wallet | null;
  readonly decimals: number;
  readonly name: string;
  readonly offered: boolean;
  /** Null if the token is offered. */
  readonly why: NotOffered | null;
  /** The same in one sentence for the buyer. */
  readonly reason: string | null;
}

/** Why a receipt cannot be paid in a token. */
type NotOffered = keyof typeof SENTENCES;

const SENTENCES = {
  suspended: () => 'This shop does not take payments at the moment.',
  not_taken: (token, chain) => `This shop does not take ${token} on ${chain}.`,
  chain_paused: (_, chain) => `Payments on ${chain} are paused at the moment.`,
  token_paused: (token, chain) => `${token} on ${chain} is paused at the moment.`,
  chain_silent: (token) => `${token} will be offered shortly: the chain does not answer.`,
  not_set_up: (_, chain) => `${chain} is not set up for payments yet.`,
  too_dear: (_, chain) => `Payments on ${chain} cost too much for this amount at the moment.`,
  unverified: (token) => `${token} is not offered by this merchant.`,
  unpriced: (token) => `There is no current price for ${token}.`,
} as const satisfies Record<string, (token: string, chain: string) => string>;

/** The reason in one sentence for the buyer, in English. */
export const whySentence = (why: NotOffered, token: string, chainId: number): string =>
  SENTENCES[why](token, chainName(chainId));

/**
 * The state of a split that decides whether native coins are offered: only a deployed splitter with verified code emits
 * events for the coins that it receives.
 */
export interface PayableSplit {
  readonly address: Wallet;
  readonly verified: boolean;
  readonly deployed: boolean;
  /** The only chain where the split has code; null if it can be deployed on every chain. */
  readonly onlyChainId: number | null;
  /** The number of its recipients. */
  readonly payees: number;
  /** The operator has suspended the merchant: it takes no new payments. */
  readonly suspended: boolean;
  /** What the merchant has chosen to be paid in. */
  readonly paymentTokens: Choice;
  /** The tokens in which the operator offers no new payments; `WHOLE_CHAIN` for all. Null: none. */
  readonly paused: readonly string[] | null;
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
      .select(({ ref }) =>
        sql<number | null>`case when ${ref('s.initCode')} is null then ${ref('s.chainId')} end`.as('onlyChainId'),
      )
      .select(({ ref }) => sql<number>`jsonb_array_length(${ref('s.recipients')})`.as('payees'))
      .select((eb) => eb('m.suspendedAt', 'is not', null).$castTo<boolean>().as('suspended'))
      .select(({ ref }) => sql<Choice>`${ref('m.shop')} -> 'paymentTokens'`.as('paymentTokens'))
      .select((eb) =>
        eb
          .selectFrom('PaymentPause as p')
          .select(sql<string[] | null>`array_agg(p.token)`.as('tokens'))
          .where('p.chainId', '=', $.chainId)
          .as('paused'),
      )
      .where('s.merchant', '=', $.merchant)
      .where('s.chainId', '=', $.chainId)
      .where('s.replacedAt', 'is', null),
  { computed: { onlyChainId: 'int8', payees: 'int4', suspended: 'bool', paymentTokens: 'jsonb', paused: 'text[]' } },
);

/** The merchant's current split. Refuses with `split_required`. */
export async function activeSplit(
  deps: Pick<Deps, 'db'> & { chain: Pick<Chain, 'chainId'> },
  merchant: Wallet,
): Promise<PayableSplit> {
  const [split] = await deps.db.run(ACTIVE_SPLIT, { merchant, chainId: deps.chain.chainId });
  if (!split) throw refuse('split_required');
  return split;
}

/** A receipt as far as it decides what it can be paid in. */
export interface PayableReceipt {
  readonly merchant: Wallet;
  readonly totalCents: number;
}

/**
 * The chain's tokens that the receipt's merchant takes, in the server's order, each with whether the receipt can be
 * paid in it. Refuses with `split_required`.
 */
export async function listOffers(deps: OfferDeps & Pick<Deps, 'chain'>, receipt: PayableReceipt): Promise<Offer[]> {
  return offersOf(deps, await activeSplit(deps, receipt.merchant), receipt);
}

type OfferDeps = Pick<Deps, 'db' | 'chain' | 'log' | 'settings'> & { readonly readRate: ReadRate };

function offersOf(deps: OfferDeps, split: PayableSplit, receipt: PayableReceipt): Promise<Offer[]> {
  const { chainId, tokens } = deps.chain;
  const taken = tokens.filter(({ symbol }) => !whyNotChosen(split.paymentTokens, { chainId, token: symbol }));
  return Promise.all(
    taken.map(async (token) => {
      const why = (await whyNot(deps, token, split, receipt)) ?? (await whyUnpriced(deps.readRate, token));
      const reason = why && whySentence(why, token.symbol, chainId);
      return { ...token, name: NAMES[token.symbol] ?? token.symbol, offered: why === null, why, reason };
    }),
  );
}

/** A token of one of the server's chains. */
export interface ChainOffer extends Offer {
  readonly chainId: number;
}

/**
 * The tokens that the merchant takes, in its order of preference, else in the server's: those of the first chain first.
 * Chains on which the merchant has no split are left out. Refuses with `split_required` if there is none on the first
 * chain.
 */
export async function listChainOffers(
  deps: Omit<OfferDeps, 'chain'> & Pick<Deps, 'chains'>,
  receipt: PayableReceipt,
): Promise<ChainOffer[]> {
  let choice: Choice = null;
  const lists = await Promise.all(
    deps.chains.map(async (chain, i) => {
      const split = await activeSplit({ ...deps, chain }, receipt.merchant).catch((error: unknown) => {
        if (i > 0 && error instanceof Refusal && error.code === 'split_required') return null;
        throw error;
      });
      if (split === null) return [];
      choice = split.paymentTokens;
      const offers = await offersOf({ ...deps, chain }, split, receipt);
      return offers.map((offer) => ({ ...offer, chainId: chain.chainId }));
    }),
  );
  const rank = ({ chainId, symbol }: ChainOffer) => rankIn(choice, { chainId, token: symbol });
  return lists.flat().sort((a, b) => rank(a) - rank(b));
}

/**
 * Why a receipt cannot be paid in a token; null if it can. A network is too dear where the money would wait at its
 * address, because collecting it costs more than the server spends.
 */
export async function whyNot(
  deps: OfferDeps,
  token: Token,
  split: PayableSplit,
  { totalCents }: PayableReceipt,
): Promise<NotOffered | null> {
  if (split.suspended) return 'suspended';
  if (whyNotChosen(split.paymentTokens, { chainId: deps.chain.chainId, token: token.symbol })) return 'not_taken';
  if (split.paused?.includes(WHOLE_CHAIN)) return 'chain_paused';
  if (split.paused?.includes(token.symbol)) return 'token_paused';
  if (!deps.chain.offering.open) return 'chain_silent';
  if (!(await hasAddresses(deps))) return 'not_set_up';
  // A merchant who has chosen the network takes it at any cost.
  if (split.paymentTokens === null && (await isTooDear(deps, split.payees, totalCents))) return 'too_dear';
  // The balance of an address counts what a splitter has logged of its collections.
  return token.address === null && !split.verified ? 'unverified' : null;
}

async function whyUnpriced(readRate: ReadRate, token: Token): Promise<NotOffered | null> {
  try {
    await usdPerToken(readRate, token);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return 'unpriced';
    throw error;
  }
}

type AskDeps = Pick<Deps, 'db' | 'chain' | 'log'>;

/** How long an answer about the watcher, or about a chain without addresses, is used. */
const USED_MS = 10_000;

const statesOf = keptBy('state of the addresses', (_chain: Deps['chain']) => ({
  isProven: false,
  answer: Promise.resolve(false),
  askedAt: Number.NEGATIVE_INFINITY,
}));

/**
 * Whether receipts' addresses may be shown on the chain: the factory is there and makes the addresses that this server
 * computes, which is proven once, and the leader reads what arrives at them, which a server of version 0.1 does not. A
 * chain that does not answer has none. Throws `datastore_unavailable`.
 */
function hasAddresses(deps: AskDeps): Promise<boolean> {
  const state = statesOf(deps.chain);
  if (performance.now() - state.askedAt < USED_MS) return state.answer;
  state.askedAt = performance.now();
  state.answer = askAddresses(deps, state);
  // What failed is asked again by the next request.
  state.answer.catch(() => {
    state.askedAt = Number.NEGATIVE_INFINITY;
  });
  return state.answer;
}

async function askAddresses({ db, chain, log }: AskDeps, state: { isProven: boolean }): Promise<boolean> {
  const [reason, unread] = await Promise.all([
    state.isProven ? null : whyNoAddresses(chain).catch(() => 'the chain does not answer'),
    readUnreadAddresses({ db, chain }),
  ]);
  state.isProven = reason === null;
  if (reason !== null) log.warn({ chainId: chain.chainId, reason }, 'no payments are offered on a chain');
  return state.isProven && unread === null;
}
