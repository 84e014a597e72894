import { walletFailure } from '../../../../domain/payments/cards/wallet-failures.ts';
import type { FailureCode } from '../../../../domain/sales/receipts/failures.ts';
import {
  connectFault,
  connectWallet,
  errorCode,
  type Provider,
  requireChain,
  sendTransaction,
  signTypedData,
  type WalletTransaction,
} from '../../client/wallet.ts';
import { PortalAuthorize, PortalDraft } from '../../generated/portal-gasless.ts';
import type { PortalChain, PortalQuote, PortalToken } from '../view.ts';
import type { PortalApi } from './api.ts';
import type { PortalPage } from './view.ts';

type Spoken = Pick<PortalPage, 'say' | 'sayWallet'>;

function word(hexDigits: string): string {
  return hexDigits.toLowerCase().padStart(64, '0');
}

/** Calldata of ERC-20 `transfer(address,uint256)`; `amount` in base units. */
export function transferData(to: string, amount: string): string {
  return `0xa9059cbb${word(to.slice(2))}${word(BigInt(amount).toString(16))}`;
}

/** The transaction that pays the quote: a token transfer, or the native coin if the token has no contract. */
export function paymentTransaction(from: string, quote: PortalQuote, token: PortalToken): WalletTransaction {
  if (token.address) return { from, to: token.address, value: '0x0', data: transferData(quote.payTo, quote.amount) };
  return { from, to: quote.payTo, value: `0x${BigInt(quote.amount).toString(16)}` };
}

interface WalletUse {
  provider: Provider;
  chain: PortalChain;
  onStep(step: 'connect' | 'switch' | 'confirm'): void;
}

export interface WalletPayment extends WalletUse {
  quote: PortalQuote;
  token: PortalToken;
}

/**
 * Connects, switches to the right chain and asks the wallet to send the quoted amount. Returns the transaction
 * hash.
 */
export async function payWithWallet({ provider, quote, token, chain, onStep }: WalletPayment): Promise<string> {
  const from = await connectWallet(provider, chain, onStep);
  onStep('confirm');
  return sendTransaction(provider, chain.id, paymentTransaction(from, quote, token));
}

interface SignedPayment extends WalletUse {
  api: Pick<PortalApi, 'ask' | 'chosen'>;
  /** See `PortalToken`. */
  tokenId: string;
}

/**
 * Asks the wallet to sign the transfer of the quote, which the server sends at its own expense. Returns the hash of its
 * transaction.
 */
export async function payBySignature({ api, provider, chain, tokenId, onStep }: SignedPayment): Promise<string> {
  const from = await connectWallet(provider, chain, onStep);
  const place = api.chosen(tokenId);
  const { typedData, ...transfer } = await api.ask(PortalDraft, { ...place, from });
  onStep('confirm');
  await requireChain(provider, chain.id);
  const signature = await signTypedData(provider, from, typedData);
  const { transactionHash } = await api.ask(PortalAuthorize, { ...place, authorization: { ...transfer, signature } });
  return transactionHash;
}

/** The chain of a wallet that is connected to this page; null if it is not. Asks the user nothing. */
export async function connectedChain(provider: Provider): Promise<number | null> {
  const accounts = (await provider.request({ method: 'eth_accounts' })) as string[];
  return accounts.length === 0 ? null : Number(await provider.request({ method: 'eth_chainId' }));
}

/** The wallet failures that have a message of their own. */
const EXPLAINED = [
  'PORTAL_CHAIN_USER_REJECTED',
  'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  'PORTAL_CHAIN_SLIPPAGE_EXCEEDED',
  'PORTAL_CHAIN_TX_REVERTED',
  'PORTAL_CHAIN_WALLET_MISMATCH',
] as const;

/** The failures that a browser may report by itself; all others are determined from the chain. */
const REPORTABLE: readonly FailureCode[] = [
  'PORTAL_CHAIN_USER_REJECTED',
  'PORTAL_CHAIN_INSUFFICIENT_BALANCE',
  'PORTAL_CHAIN_WALLET_MISMATCH',
];

const failureOf = (error: unknown): FailureCode | null =>
  walletFailure(errorCode(error), String((error as { message?: string } | null)?.message ?? ''));

/** The failure code to report to the merchant for a wallet error; null if it is not a payment failure. */
export function reportableFailure(error: unknown): FailureCode | null {
  const code = failureOf(error);
  return code && REPORTABLE.includes(code) ? code : null;
}

/** The buyer's message for a wallet error, in the language of the page. */
export function walletProblem({ say, sayWallet }: Spoken, error: unknown, chain: string): string {
  const fault = connectFault(error);
  if (fault === 'elsewhere') return sayWallet(fault, { chain });
  if (fault) return sayWallet(fault);
  return say(EXPLAINED.find((code) => code === failureOf(error)) ?? 'wallet.failed');
}
