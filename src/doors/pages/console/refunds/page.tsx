import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { buyerText } from '../client/buyer.ts';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { LoadedList } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { moneyText, sumsOf, sumText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { pageVariables, Rows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { Tabs } from '../client/tabs.tsx';
import { WalletPicker } from '../client/wallet-picker.tsx';
import { When } from '../client/when.tsx';
import { DeclineRefund, Refunds, type RefundsQuery } from '../generated/refunds.ts';
import { words } from '../shared/words.ts';
import { useRefunds } from './use-refunds.ts';
import { whyText } from './why.ts';

type Refund = RefundsQuery['refunds']['nodes'][number];

/** Refunds: those that were requested and wait to be sent, several at once, and those that were sent. */
export default function RefundsPage() {
  const { query, url } = useLocation();
  const state = query.state === 'sent' ? 'refunded' : 'requested';
  const read = useRead(Refunds, { state, ...pageVariables(query) });
  useReadOnNews(read.again);
  const tabs = [
    {
      href: changeQuery(url, { state: '', after: '', before: '' }),
      text: words.refunds.requested,
      current: state === 'requested',
    },
    {
      href: changeQuery(url, { state: 'sent', after: '', before: '' }),
      text: words.refunds.sent,
      current: state === 'refunded',
    },
  ];
  return (
    <>
      <PageHead title={words.refunds.title} lead={words.refunds.lead} />
      <Tabs label={words.refunds.title} tabs={tabs} />
      <LoadedList
        read={read}
        of={read.data?.refunds}
        place={3}
        empty={{
          title: words.refunds.none[state],
          text: words.refunds.noneText,
          action: { href: '/console/receipts?show=paid', text: words.refunds.choose },
        }}
      >
        {(refunds) => <RefundList key={state} refunds={refunds} again={read.again} />}
      </LoadedList>
    </>
  );
}

function RefundList({ refunds, again }: { readonly refunds: readonly Refund[]; readonly again: () => void }) {
  const { wallets } = useInside();
  const maySend = useRights().may('money');
  const { send, busy, problem, proven } = useRefunds();
  const dialogs = useDialogs();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (proven > 0) again();
  }, [proven]);
  const open = refunds.filter(({ state }) => state === 'requested');
  const chosen = open.filter(({ id }) => !left.has(id));
  const orders = chosen.map(({ receiptId, usd, provenUsd, buyer }) => ({
    receiptId,
    buyer,
    usd: Math.round((usd - provenUsd) * 100) / 100,
  }));
  const parts = chosen.map(({ usd, provenUsd, amount, currency }) => ({
    currency,
    amount: (amount * (usd - provenUsd)) / usd,
  }));
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <>
      <Rows label={words.refunds.title}>
        {refunds.map((refund) => (
          <RefundRow
            key={refund.id}
            refund={refund}
            chosen={maySend && refund.state === 'requested' ? !left.has(refund.id) : null}
            onToggle={() => toggle(refund.id)}
            onDecline={() => dialogs.open('decline', refund.id)}
          />
        ))}
      </Rows>
      {open.map(({ id, receiptId, amount, currency }) => (
        <ConfirmWrite
          key={id}
          open={dialogs.isOpen('decline', id)}
          title={words.refunds.declineTitle}
          action={words.refunds.decline}
          kind="danger"
          write={DeclineRefund}
          variables={{ receiptId, refundId: id }}
          onDone={() => {
            dialogs.close();
            again();
          }}
          onClose={dialogs.close}
        >
          <p>{words.refunds.declineText({ amount: moneyText(amount, currency) })}</p>
        </ConfirmWrite>
      ))}
      <ErrorNote problem={problem} />
      {maySend && open.length > 0 && (
        <div class="refunds-send">
          <p class="soft">{words.refunds.sum({ count: orders.length, amount: sumText(sumsOf(parts)) })}</p>
          {busy === null ? (
            <WalletPicker
              wallets={wallets}
              disabled={orders.length === 0}
              onPick={(provider) => void send(orders, provider)}
            >
              {words.refunds.send({ count: orders.length })}
            </WalletPicker>
          ) : (
            <Button kind="primary" busy>
              {busy}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface RefundRowProps {
  readonly refund: Refund;
  /** Whether it will be sent; null if it was sent, or the role may not send it. */
  readonly chosen: boolean | null;
  readonly onToggle: () => void;
  readonly onDecline: () => void;
}

function RefundRow({ refund, chosen, onToggle, onDecline }: RefundRowProps) {
  const said = [refund.actor.startsWith('key:') && words.refunds.byKey, whyText(refund)].filter(Boolean).join(' · ');
  const { receiptId, state, amount, currency, buyer, createdAt } = refund;
  const name = buyerText({ ...refund, buyerWallet: buyer });
  return (
    <li class="row refund-row">
      {chosen !== null && (
        <label class="check">
          <input type="checkbox" checked={chosen} onChange={onToggle} />
          <span class="unseen">{words.refunds.include({ receiptId: name })}</span>
        </label>
      )}
      <a class="row-link cut" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
        <bdi title={receiptId}>{name}</bdi>
      </a>
      <span class="mono cut refund-buyer" title={buyer}>
        {name !== shortHash(buyer) && shortHash(buyer)}
      </span>
      <Status tone={state === 'requested' ? 'warn' : 'muted'} open={state === 'requested'}>
        {words.refund.states[state]}
      </Status>
      <span class="soft">
        <When at={createdAt} />
      </span>
      <span class="row-end">
        <Money amount={amount} currency={currency} />
      </span>
      {chosen !== null && (
        <span class="refund-decline row-end">
          <Button kind="plain" onClick={onDecline}>
            {words.refunds.decline}
          </Button>
        </span>
      )}
      {said && <span class="soft refund-why">{said}</span>}
    </li>
  );
}
