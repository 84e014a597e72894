import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import type { PageProps } from '../client/console-page.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { Hash } from '../client/hash.tsx';
import { Money, OwnMoney } from '../client/money.tsx';
import { moneyText, tokenText } from '../client/money-text.ts';
import { lineAmount, ownText } from '../client/own-amount.ts';
import { PageHead } from '../client/page-head.tsx';
import { failureReason } from '../client/problem.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
import { Facts, Section } from '../client/section.tsx';
import { ReceiptStatusMark, stateWord } from '../client/status.tsx';
import { lineText } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import { Mails, MailToYou } from '../generated/mails.ts';
import {
  AddressRecords,
  OneReceipt,
  ReceiptDeliveries,
  type ReceiptDeliveriesQuery,
  type ReceiptStoryFragment,
  RedeliverWebhook,
} from '../generated/receipt.ts';
import { MailList } from '../mails/mail-list.tsx';
import { wordFor, words } from '../shared/words.ts';
import { addressText, DeliveryMark, sentText } from '../webhooks/state.tsx';
import { troubleOf } from '../webhooks/trouble.ts';
import { Actions } from './actions.tsx';
import { Addresses, Refunds, Settlement } from './money.tsx';

const FROM_CACHE = { again: false };

/** A receipt: its whole story, and what can be done with it. */
export default function ReceiptPage({ params }: PageProps) {
  const receiptId = params.receiptId ?? '';
  return <Story key={receiptId} receiptId={receiptId} />;
}

function Story({ receiptId }: { readonly receiptId: string }) {
  const { data, problem, again } = useRead(OneReceipt, { receiptId });
  const { may } = useRights();
  useReadOnNews(again, receiptId);
  // What the parts of the page read is asked for with the receipt, in one request; the parts take it from the cache.
  useRead(MailToYou, {});
  useRead(Mails, { subjectId: receiptId }, { pause: !may('receipts_read') });
  useRead(ReceiptDeliveries, { receiptId }, { pause: !may('webhooks') });
  useRead(AddressRecords, { receiptId }, { pause: !may('split_read') });
  const up = may('receipts_read')
    ? { href: '/console/receipts', title: words.receipts.title }
    : { href: '/console/till', title: words.till.title };
  const receipt = data?.receipt;
  if (!receipt)
    return (
      <>
        <PageHead title={words.receipt.title} up={up} />
        {problem === null ? <SkeletonRows count={4} /> : <ErrorNote problem={problem} again={again} />}
      </>
    );
  const { totalUsd, status, closedAt, pricing } = receipt;
  const total = ownText(receipt);
  return (
    <article class="story">
      <PageHead title={words.receipt.titled({ amount: total })} shown={total} up={up}>
        <ReceiptStatusMark status={status} closedAt={closedAt} />
      </PageHead>
      {pricing && <p class="soft story-native">{words.receipt.inDollars({ amount: moneyText(totalUsd) })}</p>}
      <Hint receipt={receipt} />
      <Actions receipt={receipt} />
      <div class="story-columns">
        <div>
          <Lines receipt={receipt} />
          <Payment receipt={receipt} />
          <Settlement receipt={receipt} />
          <Refunds receipt={receipt} />
        </div>
        <div>
          <Buyer receipt={receipt} />
          {may('split_read') && <Addresses receiptId={receiptId} />}
          <History receipt={receipt} />
          {may('receipts_read') && <MailsOfReceipt receiptId={receiptId} />}
          {may('webhooks') && <Deliveries receiptId={receiptId} />}
        </div>
      </div>
    </article>
  );
}

/** What is unusual about a receipt, in words. */
function Hint({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  const { status, missing, failure, oversold, closedAt, refundableUsd } = receipt;
  return (
    <>
      {status === 'tx_mismatch' && missing && (
        <p class="note warn">{words.receipt.missing({ amount: tokenText(missing) })}</p>
      )}
      {status === 'failed' && failure && (
        <p class="note bad">
          {failureReason(failure.code)} {closedAt === null && words.receipt.mayRetry}
        </p>
      )}
      {status === 'failed' && closedAt !== null && refundableUsd > 0 && (
        <p class="note warn">{words.receipt.holds({ amount: ownText(receipt, refundableUsd) })}</p>
      )}
      {oversold.length > 0 && (
        <p class="note warn">
          {words.receipt.oversold({ items: oversold.map(({ sku, qty }) => `${qty} × ${sku}`).join(', ') })}
        </p>
      )}
    </>
  );
}

function Lines({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  return (
    <Section title={words.receipt.lines}>
      <ul class="card lines">
        {receipt.lineItems.map(({ label, qty, itemId }, n) => (
          <li key={`${label}${n}`} class={itemId === null ? 'line-extra' : undefined}>
            <span>
              <bdi>{itemId === null ? lineText(label) : label}</bdi>
              {qty !== null && qty > 1 && <span class="soft"> × {qty}</span>}
            </span>
            <Money {...lineAmount(receipt, n)} />
          </li>
        ))}
        <li class="line-total">
          <span>{words.receipt.total}</span>
          <OwnMoney receipt={receipt} />
        </li>
      </ul>
    </Section>
  );
}

/** Half a cent: the difference of sums is not exact. */
const HALF_A_CENT = 0.005;

/** In these statuses the card was charged. */
const CHARGED: readonly string[] = ['fulfillment_processing', 'fulfillment_complete'];

/** What has arrived so far, in each token, if it is not the whole. */
const receivedText = ({ payments }: ReceiptStoryFragment): string => payments.map(tokenText).join(' + ');

function Payment({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  const { paid, status, paidAt, transactionHash, transactionUrl, buyerWallet } = receipt;
  const { confirmations, confirmationsNeeded, acceptedUsd, expiresAt, closedAt } = receipt;
  const surplusUsd = Math.max(0, receipt.receivedUsd - receipt.refundedUsd - receipt.totalUsd);
  const isCard = receipt.cardSession !== null && CHARGED.includes(receipt.cardSession.status);
  const waits = status === 'tx_mined';
  const received = paid ? tokenText(paid) : receivedText(receipt);
  return (
    <Section title={words.receipt.payment}>
      <div class="card">
        <Facts
          facts={[
            [
              words.receipt.state,
              received === '' ? words.receipt.unpaid({ status: stateWord(status, closedAt) }) : null,
            ],
            [words.receipt.received, received],
            [words.receipt.surplus, surplusUsd >= HALF_A_CENT && ownText(receipt, surplusUsd)],
            [words.receipt.paidBy, isCard && words.receipt.card],
            [words.receipt.charged, isCard && moneyText(receipt.customerTotalUsd)],
            [words.receipt.paidAt, paidAt !== null && <When at={paidAt} />],
            [words.receipt.confirmations, waits && `${confirmations} / ${confirmationsNeeded}`],
            [words.receipt.transaction, transactionHash && <Hash hash={transactionHash} url={transactionUrl} />],
            [words.receipt.from, buyerWallet && <span class="mono">{buyerWallet}</span>],
            [words.receipt.accepted, acceptedUsd && ownText(receipt, Number(acceptedUsd))],
            [
              words.receipt.expires,
              closedAt === null && paid === null && expiresAt !== null && <When at={expiresAt} />,
            ],
          ]}
        />
      </div>
    </Section>
  );
}

const OtherReceipt = ({ id }: { readonly id: string }) => (
  <a class="mono" href={`/console/receipts/${encodeURIComponent(id)}`}>
    {id}
  </a>
);

function Buyer({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  const { billingAddress, transactionId, receiptId, createdAt, replacedBy, replaces } = receipt;
  const { firstName, lastName, email, phone, line1, line2, zip, city, state, country } = billingAddress ?? {};
  const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
  const address = [line1, line2, joined(zip, city), joined(state, country)].filter(Boolean).join(', ');
  return (
    <Section title={words.receipt.details}>
      <div class="card">
        <Facts
          facts={[
            [words.receipt.email, email],
            [words.receipt.name, joined(firstName, lastName)],
            [words.receipt.phone, phone],
            [words.receipt.address, address],
            [words.receipt.reference, transactionId],
            [words.receipt.id, <span class="mono">{receiptId}</span>],
            [words.receipt.replacedBy, replacedBy && <OtherReceipt id={replacedBy} />],
            [words.receipt.replaces, replaces && <OtherReceipt id={replaces} />],
            [words.receipt.created, <When at={createdAt} />],
          ]}
        />
      </div>
    </Section>
  );
}

/** The e-mails about a receipt; nothing where there are none. */
function MailsOfReceipt({ receiptId }: { readonly receiptId: string }) {
  const { data, again } = useRead(Mails, { subjectId: receiptId }, FROM_CACHE);
  useReadOnNews(again, receiptId);
  if (!data?.mails.nodes.length) return null;
  return (
    <Section title={words.mails.title}>
      <MailList subjectId={receiptId} />
    </Section>
  );
}

type Delivery = ReceiptDeliveriesQuery['webhookDeliveries']['nodes'][number];

/** The webhooks of a receipt, what was answered, and a button that sends one again. */
function Deliveries({ receiptId }: { readonly receiptId: string }) {
  const { data, problem, again } = useRead(ReceiptDeliveries, { receiptId }, FROM_CACHE);
  useReadOnNews(again, receiptId);
  const deliveries = data?.webhookDeliveries.nodes ?? [];
  if (problem === null && deliveries.length === 0) return null;
  return (
    <Section title={words.receipt.deliveries}>
      <ErrorNote problem={problem} again={again} />
      <Rows label={words.receipt.deliveries}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} again={again} />
        ))}
      </Rows>
    </Section>
  );
}

function DeliveryRow({ delivery, again }: { readonly delivery: Delivery; readonly again: () => void }) {
  const { id, state, url, createdAt, attempts } = delivery;
  const { busy, problem, send } = useWrite(RedeliverWebhook);
  const last = attempts.at(-1);
  const answer = last && (troubleOf(last) ?? words.receipt.answered({ status: last.statusCode! }));
  return (
    <li class="row sent-row">
      <span>{sentText(delivery)}</span>
      <DeliveryMark delivery={delivery} />
      <span class="soft">
        {addressText(url)}
        <br />
        <When at={createdAt} /> {answer && `· ${answer}`}
      </span>
      {state === 'failed' && (
        <Button
          busy={busy}
          onClick={async () => {
            if (await send({ deliveryId: id })) again();
          }}
        >
          {words.receipt.sendAgain}
        </Button>
      )}
      <ErrorNote problem={problem} />
    </li>
  );
}

type Row = ReceiptStoryFragment['history'][number];

/** What happened in a row of the history, in words. */
function happened({ kind, status, at, tracking, accepted }: Row, closedAt: number | null): string {
  const { reports, notes } = words.history;
  if (accepted) return words.history.accepted;
  if (kind === 'status') return stateWord(status, closedAt !== null && at >= closedAt ? closedAt : null);
  const named = wordFor(kind === 'tracking' ? reports : notes, tracking ?? '');
  return named ?? (tracking ?? kind).replaceAll('_', ' ');
}

/** Who did it, in words. */
function who(actor: string, merchant: string): string {
  const { actors } = words.history;
  const [kind, name] = actor.split(':');
  if (kind === 'wallet' && name) return name === merchant ? actors.you : actors.wallet({ wallet: shortHash(name) });
  if (kind === 'key') return actors.key;
  return wordFor(actors.named, kind ?? '') ?? actor;
}

/** Everything that happened to a receipt, latest first. */
function History({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  const rows = [...receipt.history].sort((a, b) => b.seq - a.seq);
  return (
    <Section title={words.history.title}>
      <ol class="history">
        {rows.map((row) => (
          <li key={row.id} class={row.kind === 'status' ? 'moved' : undefined}>
            <span>{happened(row, receipt.closedAt)}</span>
            <span class="soft">
              {who(row.actor, receipt.merchant)} · <When at={row.at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
