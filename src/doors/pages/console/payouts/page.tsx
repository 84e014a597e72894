import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { buyerText, payeeName } from '../client/buyer.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { Hash } from '../client/hash.tsx';
import { Icon } from '../client/icon.tsx';
import { useInside } from '../client/inside.ts';
import { LoadedRows } from '../client/loaded.tsx';
import { tokenText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { useStream } from '../client/stream.ts';
import { Tabs } from '../client/tabs.tsx';
import { WalletPicker } from '../client/wallet-picker.tsx';
import { When } from '../client/when.tsx';
import { Collections, PayoutNews, Payouts, type PayoutsQuery, WaitingPayouts } from '../generated/payouts.ts';
import { words } from '../shared/words.ts';
import { type Collection, useCollect } from './use-collect.ts';
import { WaitingBatches } from './waiting.tsx';

type Payout = NonNullable<PayoutsQuery['payouts']>['nodes'][number];

const text = words.payouts;
const STATES = ['', 'waiting', 'released'] as const;

/** Who got what from which receipt, what waits and why, and the release of what waits. */
export default function PayoutsPage() {
  const { query, url } = useLocation();
  const state = STATES.find((each) => each === query.state) ?? '';
  const { to, receipt } = query;
  const filter = { state: state || null, recipient: to || null, receiptId: receipt || null };
  const list = useRead(Payouts, { filter, ...pageVariables(query) });
  const waiting = useRead(WaitingPayouts, {});
  const collections = useRead(Collections, {});
  usePayoutNews(() => {
    list.again();
    waiting.again();
    collections.again();
  });
  const problem = list.problem ?? waiting.problem;
  const tabs = STATES.map((each) => ({
    href: changeQuery(url, { state: each, after: '', before: '' }),
    text: text.tabs[each || 'all'],
    current: each === state,
  }));
  return (
    <>
      <PageHead title={text.title} lead={text.lead} />
      {problem !== null && (
        <ErrorNote
          problem={problem}
          again={() => {
            list.again();
            waiting.again();
          }}
        />
      )}
      {waiting.data?.waitingPayouts && <WaitingBatches waiting={waiting.data.waitingPayouts} />}
      {collections.data && <OwnCollections collections={collections.data.collections ?? []} />}
      <Tabs label={text.title} tabs={tabs} />
      <Chosen name={text.recipient} value={to} href={changeQuery(url, { to: '', after: '', before: '' })} />
      <Chosen name={text.receipt} value={receipt} href={changeQuery(url, { receipt: '', after: '', before: '' })} />
      <LoadedRows
        read={{ ...list, loading: false }}
        of={list.data?.payouts}
        problemElsewhere
        label={text.title}
        empty={{
          title: text.none[state || 'all'],
          text: text.noneText,
          action: { href: '/console/receipts?show=paid', text: text.toReceipts },
        }}
        row={(payout) => <PayoutRow key={payout.id} payout={payout} to={changeQuery(url, filterTo(payout))} />}
      />
    </>
  );
}

const filterTo = ({ recipient }: Payout) => ({ to: recipient, after: '', before: '' });

/** A condition of the list, with the way to remove it. */
function Chosen({ name, value, href }: { readonly name: string; readonly value?: string; readonly href: string }) {
  if (!value) return null;
  return (
    <p class="chosen">
      <span>
        {name} <span class="mono">{shortHash(value)}</span>
      </span>
      <a href={href}>
        <Icon name="cross" />
        <span class="unseen">{text.showAll}</span>
      </a>
    </p>
  );
}

function PayoutRow({ payout, to }: { readonly payout: Payout; readonly to: string }) {
  const { receiptId, recipient, state, createdAt, releasedAt, transactionHash } = payout;
  const isWaiting = state === 'waiting';
  const name = payeeName(payout, useInside().session.merchant);
  return (
    <li class="row payout-row">
      <a class="row-link cut payout-receipt" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
        <bdi title={receiptId}>{buyerText({ ...payout, receiptId: shortHash(receiptId), buyerWallet: null })}</bdi>
      </a>
      <a class={`soft cut payout-to${name === null ? ' mono' : ''}`} href={to} title={recipient}>
        <span class="unseen">{text.onlyTo} </span>
        {name ?? shortHash(recipient)}
      </a>
      <span class="payout-state">
        <Status tone={isWaiting ? 'warn' : 'muted'} open={isWaiting}>
          {text.states[state]}
        </Status>
        <span class="soft">
          {isWaiting && reasonOf(payout)}
          {transactionHash && <Hash hash={transactionHash} url={payout.transactionUrl} />}
        </span>
      </span>
      <span class="soft payout-when">
        <When at={releasedAt ?? createdAt} />
      </span>
      <span class="row-end number">{tokenText(payout)}</span>
    </li>
  );
}

function reasonOf({ waitsFor, requestedAt }: Payout): string {
  if (waitsFor === null) return '';
  const isAsked = requestedAt !== null && ['collection', 'minimum', 'server'].includes(waitsFor);
  return isAsked ? text.requestedBrief : text.brief[waitsFor];
}

const own = words.payouts.own;

/** What stands at the addresses of receipts, with the button that collects and pays it from the own wallet. */
function OwnCollections({ collections }: { readonly collections: readonly Collection[] }) {
  if (collections.length === 0) return null;
  return (
    <Section title={own.title}>
      <p class="soft">{own.text}</p>
      <ul class="batches" aria-label={own.title}>
        {collections.map((collection) => (
          <CollectionCard
            key={`${collection.chainId}/${collection.split}/${collection.token}`}
            collection={collection}
          />
        ))}
      </ul>
    </Section>
  );
}

function CollectionCard({ collection }: { readonly collection: Collection }) {
  const { wallets, settings } = useInside();
  const { busy, problem, isSent, collect } = useCollect(collection);
  const { chainId, token, display, addresses, waiting } = collection;
  const chain = settings.chains.find(({ id }) => id === chainId) ?? settings.chain;
  const sum = tokenText({ display, token: token ?? '' });
  return (
    <li class="card batch">
      <div class="batch-text">
        <p class="batch-sum number">{sum}</p>
        <p class="soft">
          {addresses === waiting ? own.fromAll({ addresses }) : own.fromSome({ addresses, waiting })}{' '}
          {own.of({ chain: chain.name })}
        </p>
        <ErrorNote problem={problem} />
        {isSent && <p role="status">{own.sent}</p>}
      </div>
      {busy !== null && (
        <Button kind="primary" busy>
          {busy}
        </Button>
      )}
      {busy === null && !isSent && (
        <WalletPicker wallets={wallets} onPick={(provider) => void collect(provider)}>
          {own.collectSum({ sum })}
        </WalletPicker>
      )}
    </li>
  );
}

/** A release changes several payouts at once: they are read together. */
const READ_MS = 700;

/** Reads again when payouts of the merchant change, and when the stream is open again. */
function usePayoutNews(again: () => void): void {
  const timer = useRef<number | undefined>(undefined);
  const latest = useRef(again);
  latest.current = again;
  const readSoon = () => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, READ_MS);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useStream(PayoutNews, {}, { onOpen: readSoon, onData: readSoon });
}
