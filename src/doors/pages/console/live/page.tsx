import { useEffect, useState } from 'preact/hooks';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { buyerText } from '../client/buyer.ts';
import { LoadedRows } from '../client/loaded.tsx';
import { OwnMoney } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { beginTelling, isTelling, showsNotes, stopTelling } from '../client/payment-alert.ts';
import { type ReceiptNews, useReadOnNews, useReceiptNews } from '../client/receipts-feed.ts';
import { Section } from '../client/section.tsx';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import { LivePeople, LiveReceipts, type LiveReceiptsQuery } from '../generated/live.ts';
import { wordFor, words } from '../shared/words.ts';

type Receipt = LiveReceiptsQuery['receipts']['nodes'][number];

/** What moved last in a receipt: its status, or what the buyer does. */
type Moves = ReadonlyMap<string, ReceiptNews>;

/** Who is live, beside the receipts as they move. */
export default function LivePage() {
  const read = useRead(LiveReceipts, {});
  const [moves, setMoves] = useState<Moves>(new Map());
  useReceiptNews((news) => setMoves((old) => new Map(old).set(news.receiptId, news)));
  useReadOnNews(read.again);
  const receipts = read.data?.receipts.nodes;
  const movedAt = ({ receiptId, createdAt }: Receipt) => Math.max(createdAt, moves.get(receiptId)?.at ?? 0);
  const sorted = receipts && [...receipts].sort((a, b) => movedAt(b) - movedAt(a));
  return (
    <>
      <Head />
      <div class="live">
        <Section title={words.receipts.title}>
          <LoadedRows
            read={read}
            of={sorted}
            place={5}
            label={words.receipts.title}
            empty={{ title: words.receipts.none, text: words.receipts.noneText }}
            row={(receipt) => (
              <LiveRow key={receipt.id} receipt={receipt} news={moves.get(receipt.receiptId)} at={movedAt(receipt)} />
            )}
          />
        </Section>
        <People />
      </div>
    </>
  );
}

/** The title, and the switch by which this browser tells of payments. */
function Head() {
  const [telling, setTelling] = useState(isTelling());
  const change = async () => {
    if (telling) stopTelling();
    else await beginTelling();
    setTelling(isTelling());
  };
  return (
    <>
      <PageHead title={words.live.title} lead={words.live.lead}>
        <Button onClick={() => void change()}>{telling ? words.live.tellNoMore : words.live.tell}</Button>
      </PageHead>
      <p class="soft" role="status">
        {telling && (showsNotes() ? words.live.telling : words.live.soundOnly)}
      </p>
    </>
  );
}

interface LiveRowProps {
  readonly receipt: Receipt;
  readonly news: ReceiptNews | undefined;
  readonly at: number;
}

function LiveRow({ receipt, news, at }: LiveRowProps) {
  const { receiptId } = receipt;
  // The stream may be ahead of the last read.
  const status = news && news.seq > receipt.seq ? news.status : receipt.status;
  const isWaiting = status === 'generated' || status === 'pending';
  const tracked = isWaiting && news?.kind === 'tracking' ? wordFor(words.live.reports, news.tracking ?? '') : undefined;
  return (
    <li class="row live-row" data-key={receiptId} data-status={status} data-news={news?.cursor}>
      <a class="row-link cut" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
        <bdi>{summary(receipt)}</bdi>
      </a>
      <span class="row-end">
        <OwnMoney receipt={receipt} />
      </span>
      <span class="live-state">
        <ReceiptStatusMark status={status} closedAt={receipt.closedAt} />
        {tracked && <span class="soft">{tracked}</span>}
        <span class="soft">{buyerText(receipt)}</span>
      </span>
      <span class="row-end soft">
        <When at={at} />
      </span>
    </li>
  );
}

/** The time between two reads of who is live. */
const PEOPLE_MS = 15_000;

function People() {
  const read = useRead(LivePeople, {});
  const { again } = read;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, PEOPLE_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <Section title={words.live.people}>
      <LoadedRows
        read={read}
        of={read.data?.liveUsers}
        place={2}
        label={words.live.people}
        empty={{ title: words.live.nobodyLive, text: words.live.nobodyLiveText }}
        row={({ id, displayName, wallet, platform }) => (
          <li key={id} class="row">
            <span class="cut">
              <bdi>{displayName || wallet}</bdi>
            </span>
            <span class="soft">{platform}</span>
          </li>
        )}
      />
      <p class="soft live-public">
        <a href="/live">{words.live.publicPage}</a>
      </p>
    </Section>
  );
}
