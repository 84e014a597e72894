import { transactionUrl } from '../../../base/chain/explorers.ts';
import { type ErrorCode, Refusal, refuse } from '../../../base/core/errors.ts';
import { usdFromCents } from '../../../base/core/money.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { onChain } from '../../../base/platform/on-chain.ts';
import { awaitAuthorization, submitAuthorization } from '../../../domain/payments/gasless/submit-authorization.ts';
import { offeredGaslessToken, type TermsDeps } from '../../../domain/payments/gasless/terms.ts';
import { type QuoteDeps, showQuote } from '../../../domain/payments/paying/quote-payment.ts';
import { listChainOffers } from '../../../domain/payments/quotes/offers.ts';
import { isWaiting } from '../../../domain/sales/receipts/lifecycle.ts';
import { opensForWriting, x402Url } from '../../../domain/sales/receipts/payment-url.ts';
import { findPortalReceipt, type ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { readEnded } from '../../../domain/sales/receipts/read-ended.ts';
import { configuredRates, type ReadRate } from '../../../domain/shop/fx/usd-per-token.ts';
import {
  encodeHeader,
  HEADERS,
  type PaymentPayload,
  type PaymentRequired,
  type PaymentRequirements,
  parsePayment,
  X402_VERSION,
} from './protocol.ts';

/** How long a request waits for its payment. A request ends within ten seconds. */
const WAIT_MS = 6_000;

/** The parameters of a receipt's x402 address. */
interface X402Request {
  readonly id: string;
  readonly recipient: Wallet | null;
  /** The `k` of the URL, unchecked. */
  readonly key: unknown;
  /** The header of a payment, if there is one. */
  readonly payment: string | null;
}

/** The answer to a request. */
interface X402Answer {
  readonly status: 200 | 202 | 402;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/**
 * Answers a request for a receipt: 402 with what it costs while it waits for money, or the receipt once nothing is owed
 * (200). A payment in the request is carried out first. If its transaction is in no block after some seconds, the
 * answer is 202, and the same request finds the result later. Refuses with `not_found`, also without the `k` that the
 * address of a receipt may need, and with `receipt_ended`, `gasless_unavailable`, `split_required`,
 * `merchant_suspended`, `chain_unavailable`.
 */
export async function answerX402(deps: Deps, request: X402Request): Promise<X402Answer> {
  const receipt = await findPortalReceipt(deps.db, request.id, request.recipient);
  if (!receipt || !opensForWriting(deps.settings, receipt, request.key)) throw refuse('not_found', 'Receipt not found');
  if (!isWaiting(receipt) || receipt.totalCents === 0) return { status: 200, headers: {}, body: shown(deps, receipt) };
  if (await readEnded(deps.db, receipt, deps.clock())) throw refuse('receipt_ended');
  const payments = { ...deps, readRate: configuredRates(deps) };
  const accepts = await requirementsOf(payments, receipt);
  if (request.payment === null) return required(deps, receipt, accepts);
  const payment = parsePayment(request.payment);
  const accepted = payment && accepts.find((one) => one.asset === payment.asset && one.network === payment.network);
  if (!payment || !accepted) return required(deps, receipt, accepts, { error: 'invalid_payload', payment });
  return settle(payments, receipt, accepts, { payment, accepted });
}

interface Paying {
  readonly payment: PaymentPayload;
  readonly accepted: PaymentRequirements;
}

async function settle(
  base: Deps & { readonly readRate: ReturnType<typeof configuredRates> },
  receipt: ReceiptRow,
  accepts: readonly PaymentRequirements[],
  { payment, accepted }: Paying,
): Promise<X402Answer> {
  const { merchant, id: receiptId } = receipt;
  const deps = onChain(base, chainIdOf(accepted));
  const token = deps.chain.tokens.find(({ address }) => address === accepted.asset)!.symbol;
  try {
    const sent = await submitAuthorization(deps, { merchant, receiptId, token }, payment);
    const { state, transactionHash } = await awaitAuthorization(deps.db, deps.chain, sent, WAIT_MS);
    if (state === 'failed') return required(deps, receipt, accepts, { error: 'transaction_failed', payment });
    const now = (await findPortalReceipt(deps.db, receiptId, merchant)) ?? receipt;
    const body = shown(deps, now);
    if (state === 'sent') return { status: 202, headers: { 'retry-after': '5' }, body };
    const { network } = accepted;
    const settled = { success: true, transaction: transactionHash, network, payer: payment.authorization.from };
    return { status: 200, headers: { [HEADERS.response]: encodeHeader(settled) }, body };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const now = await findPortalReceipt(deps.db, receiptId, merchant);
    // It was paid meanwhile, as a rule by a faster payment.
    if (now && !isWaiting(now)) return { status: 200, headers: {}, body: shown(deps, now) };
    if (!PAYMENT_FAULTS.includes(error.code)) throw error;
    const { reason } = error.extra;
    const named = error.code === 'authorization_refused' && typeof reason === 'string' ? reason : error.code;
    return required(deps, receipt, accepts, { error: named, payment });
  }
}

const chainIdOf = ({ network }: PaymentRequirements): number => Number(network.slice('eip155:'.length));

/** Refusals of one payment. The receipt can still be paid. */
const PAYMENT_FAULTS: readonly ErrorCode[] = ['authorization_refused', 'authorization_used', 'payment_underway'];

interface Fault {
  readonly error: string;
  readonly payment: PaymentPayload | null;
}

/** The answer that asks for a payment, after a failed one with its error. */
function required(deps: Deps, receipt: ReceiptRow, accepts: readonly PaymentRequirements[], fault?: Fault): X402Answer {
  const { settings } = deps;
  const resource = {
    url: x402Url(settings, receipt),
    description: `Receipt ${receipt.id} of ${receipt.brandName}`,
    mimeType: 'application/json',
  };
  const body: PaymentRequired = {
    x402Version: X402_VERSION,
    ...(fault && { error: fault.error }),
    resource,
    accepts,
  };
  const failed = fault && {
    success: false,
    errorReason: fault.error,
    transaction: '',
    network: fault.payment?.network ?? networkOf(deps.chain.chainId),
    payer: fault.payment?.authorization.from ?? '',
  };
  const headers = {
    [HEADERS.required]: encodeHeader(body),
    ...(failed && { [HEADERS.response]: encodeHeader(failed) }),
  };
  return { status: 402, headers, body };
}

/** What the payment page shows of a receipt, and nothing about its buyer. */
function shown({ chain }: Deps, receipt: ReceiptRow): object {
  const { id, status, brandName, totalCents, currency, lineItems, transactionHash, createdAt, expiresAt } = receipt;
  return {
    ok: true,
    receipt: {
      receiptId: id,
      status,
      brandName,
      totalUsd: Number(usdFromCents(totalCents)),
      currency,
      lineItems: lineItems.map(({ label, priceCents, qty }) => ({
        label,
        priceUsd: Number(usdFromCents(priceCents)),
        ...(qty === undefined ? {} : { qty }),
      })),
      transactionHash: transactionHash ?? null,
      transactionUrl: transactionHash ? transactionUrl(receipt.paymentChainId ?? chain.chainId, transactionHash) : null,
      createdAt,
      expiresAt: expiresAt ?? null,
    },
  };
}

type RequirementDeps = QuoteDeps & TermsDeps & { readonly readRate: ReadRate };

/** How long a client has from its signature to the block of its payment. */
const TIMEOUT_S = 300;

/** The name of a chain in x402 (CAIP-2). */
const networkOf = (chainId: number): `eip155:${number}` => `eip155:${chainId}`;

/** The refusals of one token or chain, while others can be paid in. */
const NOT_HERE: readonly ErrorCode[] = ['gasless_unavailable', 'chain_unavailable'];

/**
 * The ways to pay what a receipt still owes, in the merchant's order: one for each token whose authorizations are
 * carried out on a chain, with the amount that the payment page shows. Refuses with `gasless_unavailable` or
 * `chain_unavailable` if there is none, and as `showQuote` does.
 */
async function requirementsOf(
  deps: RequirementDeps,
  receipt: Pick<ReceiptRow, 'merchant' | 'id' | 'totalCents'>,
): Promise<PaymentRequirements[]> {
  const { merchant, id } = receipt;
  const found: PaymentRequirements[] = [];
  let refusal = refuse('gasless_unavailable', undefined, { reason: 'token' });
  for (const { symbol, chainId, offered } of await listChainOffers(deps, receipt)) {
    if (!offered) continue;
    try {
      const { address: asset, domain } = await offeredGaslessToken(onChain(deps, chainId), merchant, symbol);
      const { amount, payTo } = await showQuote(deps, { merchant, receiptId: id, token: symbol, chainId });
      const extra = { name: domain.name, version: domain.version, assetTransferMethod: 'eip3009' } as const;
      const network = networkOf(chainId);
      found.push({ scheme: 'exact', network, amount, asset, payTo, maxTimeoutSeconds: TIMEOUT_S, extra });
    } catch (error) {
      if (!(error instanceof Refusal) || !NOT_HERE.includes(error.code)) throw error;
      refusal = error;
    }
  }
  if (found.length === 0) throw refusal;
  return found;
}
