import { type AuthorizationDomain, readAuthorizationDomain } from '../../../base/chain/authorizations.ts';
import { inTime } from '../../../base/chain/in-time.ts';
import type { Token } from '../../../base/chain/token.ts';
import { type Refusal, refuse } from '../../../base/core/errors.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { countSent } from '../../../base/onchain/spender/count-sent.ts';
import { openWallet, type SigningWallet } from '../../../base/onchain/spender/spender-key.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { openDayBudget } from '../../shop/merchants/newcomer.ts';
import { readPaymentTerms } from '../../shop/merchants/payment-terms.ts';

export type TermsDeps = Pick<Deps, 'db' | 'chain' | 'settings' | 'clock'>;

const DAY_MS = 86_400_000;

/** A token whose authorizations this server carries out. */
export interface GaslessToken {
  readonly symbol: string;
  readonly address: Wallet;
  readonly decimals: number;
  readonly domain: AuthorizationDomain;
  /** The wallet that pays the gas. */
  readonly wallet: SigningWallet;
}

/** Why a payment cannot be made without gas. */
type Unavailable = 'operator' | 'merchant' | 'token' | 'gas_price' | 'gas_limit' | 'daily_limit' | 'funds';

const unavailable = (reason: Unavailable, message?: string): Refusal =>
  refuse('gasless_unavailable', message, { reason });

/**
 * The token, if its authorizations are carried out for this merchant: the operator has a settlement wallet and a limit
 * for gas, the merchant has not turned it off, and the token has EIP-3009. Refuses with `gasless_unavailable`,
 * `invalid_input` for an unknown token, and `chain_unavailable`.
 */
export async function gaslessToken(deps: TermsDeps, merchant: Wallet, symbol: string): Promise<GaslessToken> {
  const { chain, settings } = deps;
  const { settlementPrivateKey, gaslessMaxGasUsd } = settings;
  const token = chain.tokens.find((one) => one.symbol === symbol.toUpperCase());
  if (!token) throw refuse('invalid_input', `token must be one of the chain's tokens`, { field: 'token' });
  if (settlementPrivateKey === null || gaslessMaxGasUsd === '0') throw unavailable('operator');
  const { gasless } = await readPaymentTerms(deps.db, merchant);
  if (!gasless) throw unavailable('merchant');
  const domain = await domainOf(deps, token);
  if (token.address === null || domain === null)
    throw unavailable('token', `${token.symbol} has no transfers by authorization`);
  const wallet = openWallet('settlement', settlementPrivateKey);
  return { symbol: token.symbol, address: token.address, decimals: token.decimals, domain, wallet };
}

/**
 * Refuses with `gasless_unavailable` if `GASLESS_PER_DAY` payments of the merchant, or of all newcomers if it is one,
 * or `GASLESS_PER_DAY_TOTAL` of all merchants, were sent on this chain within 24 hours. Requests at the same time may
 * exceed it by their number.
 */
export async function requireWithinDay(deps: TermsDeps, { wallet }: GaslessToken, merchant: Wallet): Promise<void> {
  const { gaslessPerDay: perDay, gaslessPerDayTotal: total } = deps.settings;
  if (perDay === null && total === null) return;
  const sent = await countSent(deps, wallet, { purpose: 'authorization', since: deps.clock() - DAY_MS });
  const take = await openDayBudget(deps.db, { perDay, total }, sent, [merchant]);
  if (take(merchant) !== null)
    throw unavailable('daily_limit', 'The payments without gas of 24 hours are used up; pay by a transfer');
}

/** Like `gaslessToken`, but also refuses once the payments of the day are used up: for a new payment. */
export async function offeredGaslessToken(deps: TermsDeps, merchant: Wallet, symbol: string): Promise<GaslessToken> {
  const token = await gaslessToken(deps, merchant, symbol);
  await requireWithinDay(deps, token, merchant);
  return token;
}

/** A page that shows the choice waits no longer for the chain. */
const ASK_MS = 1_000;

/** Whether a new payment would be carried out for this merchant. False if the chain does not answer in time. */
export const isGasless = (deps: TermsDeps, merchant: Wallet, symbol: string): Promise<boolean> =>
  inTime(offeredGaslessToken(deps, merchant, symbol), ASK_MS).then(
    () => true,
    () => false,
  );

const domainOf = ({ chain }: TermsDeps, { address }: Token): Promise<AuthorizationDomain | null> | null =>
  address === null ? null : readAuthorizationDomain(chain, address);

/** Nothing is sent now: the gas is too expensive, or the wallet cannot pay for it. */
export const cannotSend = (reason: 'gas_price' | 'gas_limit' | 'funds'): Refusal =>
  unavailable(reason, 'The network is too expensive at the moment to pay this without gas');
