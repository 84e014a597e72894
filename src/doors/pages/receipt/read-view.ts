import Big from 'big.js';
import { getAddress } from 'viem';
import { explorerUrl } from '../../../base/chain/explorers.ts';
import { type Language, localeOf } from '../../../base/core/messages/languages.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { type Received, readReceivedOf, readRefundsOf } from '../../../domain/payments/refunds/read.ts';
import type { OptionColumn } from '../../../domain/sales/receipts/options.ts';
import { buyersOwn, type ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import type { BillingAddress } from '../../../domain/sales/receipts/receipt.entity.ts';
import type { ShopConfig } from '../../../domain/shop/merchants/shop.ts';
import { portalLines } from '../portal/lines.ts';
import { readSettlement } from '../portal/read-settlement.ts';
import type { PageShare, PortalChain, PortalLine, PortalPaid } from '../portal/view.ts';
import { withCents } from '../shared/amounts.ts';
import { shownChain } from '../shared/chain.ts';
import { portalPath } from '../shared/paths.ts';
import type { Reading } from '../shared/reading.ts';
import { longTaxNote } from '../shared/tax-note.ts';
import type { PageTheme } from '../shared/theme.ts';

/** A refund on the printed receipt. Money in cents, times in epoch ms. */
export interface PrintedRefund {
  readonly state: 'requested' | 'refunded';
  readonly usdCents: number;
  readonly at: number;
  readonly labels: readonly string[];
  readonly transactions: readonly { readonly hash: string; readonly explorerUrl: string | null }[];
}

/** The data of a printed receipt. Money in cents, times in epoch ms, wallets with their checksum. */
export interface ReceiptView {
  readonly merchant: {
    readonly name: string;
    readonly wallet: string;
    readonly theme: PageTheme;
    /** The lines of the shop's address; empty if it has named none. */
    readonly address: readonly string[];
    readonly taxId: string | null;
  };
  /** Name and address lines; empty if unknown or not to be shown. */
  readonly buyer: readonly string[];
  readonly receiptId: string;
  /** The printed optional parameters, with the keys of their labels. */
  readonly details: readonly { readonly key: 'reference'; readonly value: string }[];
  readonly status: 'paid' | 'completed' | 'refunded';
  readonly createdAt: number;
  readonly lines: readonly PortalLine[];
  readonly totalUsdCents: number;
  readonly pricing: {
    readonly currency: string;
    readonly totalCents: number;
    readonly usdPerUnit: string;
    readonly quotedAt: number;
    readonly provider: string;
  } | null;
  /** The tax as text: `US-CA-LA: state, county · 9.5 %`; null if unknown. */
  readonly taxNote: string | null;
  /** The payment; null for a receipt with a total of zero. */
  readonly payment: {
    readonly amount: string | null;
    readonly hash: string;
    readonly at: number | null;
    readonly from: string | null;
  } | null;
  readonly chain: PortalChain;
  readonly settlement: readonly PageShare[];
  /** The rounding remainder in the split contract. */
  readonly remainder: PortalPaid | null;
  readonly refunds: readonly PrintedRefund[];
  readonly portalPath: string;
}

/**
 * Reads the data of the printed receipt of a paid receipt, for a reader of a language. `key` is the `k` of the page's
 * URL, `chosen` its language.
 */
export async function readReceiptView(
  deps: Deps,
  receipt: ReceiptRow & Pick<ReceiptView, 'status'>,
  { theme, address, taxId }: Pick<ShopConfig, 'theme' | 'address' | 'taxId'>,
  { key, chosen, language }: { readonly key: string | null } & Pick<Reading, 'chosen' | 'language'>,
): Promise<ReceiptView> {
  const { merchant, pricing } = receipt;
  const [settlement, [refunds = []], [received = []]] = await Promise.all([
    readSettlement(deps, receipt, language),
    readRefundsOf(deps.db, merchant, [receipt.id]),
    readReceivedOf(deps, merchant, [receipt.id]),
  ]);
  return {
    merchant: { name: receipt.brandName, wallet: getAddress(merchant), theme, address: linesOf(address), taxId },
    buyer: buyerLines(buyersOwn(receipt, key !== null), language),
    receiptId: receipt.id,
    details: detailsOf(receipt),
    status: receipt.status,
    createdAt: receipt.createdAt,
    lines: portalLines(receipt, language, () => null),
    totalUsdCents: receipt.totalCents,
    pricing: pricing && {
      currency: pricing.currency,
      totalCents: pricing.originalTotalCents,
      usdPerUnit: pricing.usdPerUnit,
      quotedAt: pricing.quotedAt,
      provider: pricing.provider,
    },
    taxNote: longTaxNote(receipt, language),
    payment: paymentOf(receipt, received),
    chain: shownChain(deps, language, receipt.paymentChainId),
    settlement: settlement.shares,
    remainder: settlement.remainder,
    refunds: refunds
      .filter(({ state }) => state !== 'declined')
      .map((refund) => ({
        state: refund.state === 'refunded' ? 'refunded' : 'requested',
        usdCents: refund.usdCents,
        at: refund.refundedAt ?? refund.createdAt,
        labels: refund.items.map(({ label }) => label),
        transactions: refund.transactions.map(({ transactionHash, chainId }) => ({
          hash: transactionHash,
          explorerUrl: explorerUrl(chainId),
        })),
      })),
    portalPath: portalPath(receipt, key, chosen),
  };
}

const linesOf = (text: string | null) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The keys of the labels of the optional parameters that are printed; null: not printed. */
const DETAILS: Readonly<
  Record<Exclude<Extract<OptionColumn, keyof ReceiptRow>, 'billingAddress'>, 'reference' | null>
> = {
  transactionId: 'reference',
  language: null,
  metadata: null,
  redirectUrl: null,
  successUrl: null,
  webhookUrl: null,
};

function detailsOf(receipt: ReceiptRow): ReceiptView['details'] {
  return Object.entries(DETAILS).flatMap(([column, key]) => {
    const value = receipt[column as keyof typeof DETAILS];
    return key !== null && typeof value === 'string' ? [{ key, value }] : [];
  });
}

function buyerLines(buyer: BillingAddress | null, language: Language): string[] {
  const { firstName, lastName, line1, line2, zip, city, state, country, email, phone } = buyer ?? {};
  const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ');
  return [
    joined(firstName, lastName),
    joined(line1),
    joined(line2),
    [joined(city), joined(state, zip)].filter(Boolean).join(', '),
    country ? countryName(country, language) : '',
    joined(email),
    joined(phone),
  ].filter((line) => line !== '');
}

/** `GB` → `United Kingdom`; any other text is returned unchanged. */
const countryName = (code: string, language: Language): string =>
  /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames(localeOf(language), { type: 'region' }).of(code) ?? code) : code;

/** The sums of what was received, by token: `40.38 USDC + 23.40 USDT`. Null if a token is not known any more. */
function sumsOf(received: readonly Received[]): string | null {
  const sums = new Map<string, Big>();
  for (const { token, display } of received) {
    if (display === null) return null;
    sums.set(token, new Big(sums.get(token) ?? 0).plus(display));
  }
  return [...sums].map(([token, sum]) => `${withCents(sum.toFixed())} ${token}`).join(' + ') || null;
}

function paymentOf(receipt: ReceiptRow, received: readonly Received[]): ReceiptView['payment'] {
  const { transactionHash: hash, transactionTimestamp: at, buyerWallet } = receipt;
  if (hash === null) return null;
  return {
    amount: sumsOf(received),
    hash,
    at,
    from: buyerWallet && getAddress(buyerWallet satisfies Wallet),
  };
}
