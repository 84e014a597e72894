import { onChain } from '../../../base/platform/on-chain.ts';
import { readMissing } from '../../../domain/payments/paying/missing.ts';
import { readRefundsOf } from '../../../domain/payments/refunds/read.ts';
import { isWaiting } from '../../../domain/sales/receipts/lifecycle.ts';
import { keyIn, paymentUrl } from '../../../domain/sales/receipts/payment-url.ts';
import { findReceipt, type ReceiptRow } from '../../../domain/sales/receipts/read.ts';
import { portalLines } from '../portal/lines.ts';
import { withCents } from '../shared/amounts.ts';
import { receiptPath } from '../shared/paths.ts';
import type { Tell, Voice } from './voice.ts';

/** More lines would make the message heavier than readers show; the receipt has all of them. */
const LINES_MOST = 30;
const LABEL_MOST = 80;

/** The message to the buyer of a receipt. What is not so any more is left out. */
export const aboutReceipt: Tell = async (deps, { kind, merchant, subjectId }, shop, voiceOf) => {
  const receipt = await findReceipt(deps.db, merchant, subjectId ?? '');
  const to = receipt?.billingAddress?.email;
  if (!receipt || !to) return { dropped: 'there is no address any more' };
  const { language = null } = receipt;
  const voice = voiceOf(language);
  const total = totalOf(receipt, voice);
  const draft = (values: Readonly<Record<string, string>>) => ({
    ...{ to, language },
    subject: voice.say(`${kind}_subject`, { shop: shop.name, ...values }).text,
    title: voice.say(`${kind}_title`),
    text: voice.say(`${kind}_text`, { shop: shop.name, total, ...values }),
  });
  const pay = (label: string) => ({ label: voice.say(label).text, url: paymentUrl(deps.settings, receipt) });
  const open = () => {
    const key = keyIn(deps.settings, receipt, undefined) ?? keyOf(paymentUrl(deps.settings, receipt));
    return { label: voice.say('open_receipt').text, url: deps.settings.baseUrl + receiptPath(receipt, key, null) };
  };
  const number = fact(voice, 'receipt', receipt.id);

  switch (kind) {
    case 'receipt': {
      if (receipt.status !== 'paid' && receipt.status !== 'completed') return { dropped: 'it is not paid any more' };
      const { lines, more } = linesOf(receipt, voice);
      const facts = [
        ...(receipt.transactionTimestamp === null
          ? []
          : [fact(voice, 'date', voice.date(receipt.transactionTimestamp))]),
        number,
        ...(receipt.transactionId === null ? [] : [fact(voice, 'reference', receipt.transactionId)]),
        ...(receipt.transactionHash === null ? [] : [fact(voice, 'transaction', receipt.transactionHash)]),
      ];
      return { ...draft({ total }), lines, more, facts, action: open() };
    }
    case 'part_payment': {
      const missing = await readMissing(onChain(deps, receipt.paymentChainId), merchant, receipt.id);
      if (missing === null) return { dropped: 'the rest was paid' };
      const amount = `${withCents(missing.display)} ${missing.token}`;
      return { ...draft({ missing: amount }), facts: [number], action: pay('pay_rest') };
    }
    case 'refund': {
      const [refunds = []] = await readRefundsOf(deps.db, merchant, [receipt.id]);
      const refundedCents = refunds.reduce((sum, { provenCents }) => sum + provenCents, 0);
      if (refundedCents === 0) return { dropped: 'nothing is refunded any more' };
      const transactions = refunds.flatMap((refund) => refund.transactions);
      const proofs = transactions.slice(0, LINES_MOST).map((one) => fact(voice, 'transaction', one.transactionHash));
      return {
        ...draft({ amount: ownMoney(receipt, voice, refundedCents) }),
        facts: [number, ...proofs],
        action: open(),
      };
    }
    default: {
      if (!isWaiting(receipt)) return { dropped: 'it takes no payment any more' };
      const { lines, more } = linesOf(receipt, voice);
      const until = receipt.expiresAt === null ? [] : [fact(voice, 'until', voice.date(receipt.expiresAt))];
      return { ...draft({ total }), lines, more, facts: [number, ...until], action: pay('pay') };
    }
  }
};

const fact = (voice: Voice, key: string, value: string) => ({ label: voice.say(key).text, value });

/** In the currency of the receipt. */
const totalOf = ({ pricing, totalCents }: ReceiptRow, { money }: Voice): string =>
  pricing ? money(pricing.originalTotalCents, pricing.currency) : money(totalCents, 'USD');

/** A part of the total, given in US cents, in the currency of the receipt. */
function ownMoney({ pricing, totalCents }: ReceiptRow, { money }: Voice, usdCents: number): string {
  if (!pricing || totalCents === 0) return money(usdCents, 'USD');
  const [part, whole] = [BigInt(usdCents) * BigInt(pricing.originalTotalCents), BigInt(totalCents)];
  return money(Number((2n * part + whole) / (2n * whole)), pricing.currency);
}

/** The lines with tax and fee, and the total. */
function linesOf(receipt: ReceiptRow, voice: Voice) {
  const all = portalLines(receipt, voice.language, () => null);
  const items = all.filter(({ kind }) => kind === 'item');
  const shown = [...items.slice(0, LINES_MOST), ...all.filter(({ kind }) => kind !== 'item')];
  const lines = shown.map(({ kind, label, qty, note, nativeCents, priceUsdCents }) => {
    const name = kind === 'item' ? shortened(label) : [voice.say(kind).text, note].filter(Boolean).join(' · ');
    const cents = receipt.pricing ? (nativeCents ?? 0) : priceUsdCents;
    return {
      label: qty != null && qty > 1 ? `${qty} × ${name}` : name,
      amount: voice.money(cents, receipt.pricing?.currency ?? 'USD'),
    };
  });
  const left = items.length - LINES_MOST;
  return {
    lines: [...lines, { label: voice.say('total').text, amount: totalOf(receipt, voice) }],
    more: left > 0 ? voice.say('more_lines', { count: left }).text : null,
  };
}

function shortened(label: string): string {
  const letters = [...label];
  return letters.length > LABEL_MOST ? `${letters.slice(0, LABEL_MOST - 1).join('')}…` : label;
}

/** The `k` of an address. */
const keyOf = (url: string): string | null => new URL(url).searchParams.get('k');
