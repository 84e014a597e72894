import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Empty } from '../client/empty.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Pager, pageVariables } from '../client/pager.tsx';
import { changeQuery } from '../client/query.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { SkeletonRows } from '../client/rows.tsx';
import { Tabs } from '../client/tabs.tsx';
import { Unmatched } from '../generated/unmatched.ts';
import { words } from '../shared/words.ts';
import { TransferCard } from './transfer-card.tsx';

/** Money that pays no receipt: each transfer with the receipts that it may belong to. */
export default function UnmatchedPage() {
  const { query, url } = useLocation();
  const state = query.state === 'marked' ? 'marked_for_refund' : 'open';
  const { data, problem, again } = useRead(Unmatched, { state, ...pageVariables(query) });
  useReadOnNews(again);
  const transfers = data?.unmatchedTransfers;
  const tabs = [
    {
      href: changeQuery(url, { state: '', after: '', before: '' }),
      text: words.unmatched.open,
      current: state === 'open',
    },
    {
      href: changeQuery(url, { state: 'marked', after: '', before: '' }),
      text: words.unmatched.marked,
      current: state !== 'open',
    },
  ];
  return (
    <>
      <PageHead title={words.unmatched.title} lead={words.unmatched.lead} />
      <Tabs label={words.unmatched.title} tabs={tabs} />
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!transfers && problem === null && <SkeletonRows count={3} />}
      {transfers?.nodes.length === 0 && (
        <Empty
          title={state === 'open' ? words.unmatched.none : words.unmatched.noneMarked}
          text={state === 'open' ? words.unmatched.noneText : words.unmatched.noneMarkedText}
        />
      )}
      {transfers && transfers.nodes.length > 0 && (
        <ul class="transfers" aria-label={words.unmatched.title}>
          {transfers.nodes.map((transfer) => (
            <TransferCard key={transfer.id} transfer={transfer} />
          ))}
        </ul>
      )}
      {transfers && <Pager info={transfers.pageInfo} />}
    </>
  );
}
