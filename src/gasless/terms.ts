import { type AuthorizationDomain, readAuthorizationDomain } from '../chain/authorizations.ts';
import { inTime } from '../chain/in-time.ts';
import type { Token } from '../chain/token.ts';
import { type Refusal, refuse } from '../core/errors.ts';
import type { Wallet } from '../core/wallet.ts';
import { readPaymentTerms } from '../merchants/payment-terms.ts';
import type { Deps } from '../platform/deps.ts';
import { openWallet, type SigningWallet } from '../spender/wallet.ts';

export type TermsDeps = Pick<Deps, 'sql' | 'chain' | 'settings'>;

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
type Unavailable = 'operator' | 'merchant' | 'token' | 'gas_price' | 'gas_limit' | 'funds';

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
  const { gasless } = await readPaymentTerms(deps.sql, merchant);
  if (!gasless) throw unavailable('merchant');
  const domain = await domainOf(deps, token);
  if (token.address === null || domain === null)
    throw unavailable('token', `${token.symbol} has no transfers by authorization`);
  const wallet = openWallet('settlement', settlementPrivateKey);
  return { symbol: token.symbol, address: token.address, decimals: token.decimals, domain, wallet };
}

/** A page that shows the choice waits no longer for the chain. */
const ASK_MS = 1_000;

/** Whether the token's authorizations are carried out for this merchant. False if the chain does not answer in time. */
export const isGasless = (deps: TermsDeps, merchant: Wallet, symbol: string): Promise<boolean> =>
  inTime(gaslessToken(deps, merchant, symbol), ASK_MS).then(
    () => true,
    () => false,
  );

const domainOf = ({ chain }: TermsDeps, { address }: Token): Promise<AuthorizationDomain | null> | null =>
  address === null ? null : readAuthorizationDomain(chain, address);

/** Nothing is sent now: the gas is too expensive, or the wallet cannot pay for it. */
export const cannotSend = (reason: 'gas_price' | 'gas_limit' | 'funds'): Refusal =>
  unavailable(reason, 'The network is too expensive at the moment to pay this without gas');
