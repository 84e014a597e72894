import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { LoadedList } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { pageVariables } from '../client/rows.tsx';
import { Tabs } from '../client/tabs.tsx';
import { Unmatched } from '../generated/unmatched.ts';
import { words } from '../shared/words.ts';
import { TransferCard } from './transfer-card.tsx';

/** Money that pays no receipt: each transfer with the receipts that it may belong to. */
export default function UnmatchedPage() {
  const { query, url } = useLocation();
  const state = query.state === 'marked' ? 'marked_for_refund' : 'open';
  const read = useRead(Unmatched, { state, ...pageVariables(query) });
  useReadOnNews(read.again);
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
      <LoadedList
        read={read}
        of={read.data?.unmatchedTransfers}
        place={3}
        empty={{
          title: state === 'open' ? words.unmatched.none : words.unmatched.noneMarked,
          text: state === 'open' ? words.unmatched.noneText : words.unmatched.noneMarkedText,
        }}
      >
        {(transfers) => (
          <ul class="transfers" aria-label={words.unmatched.title}>
            {transfers.map((transfer) => (
              <TransferCard key={transfer.id} transfer={transfer} />
            ))}
          </ul>
        )}
      </LoadedList>
    </>
  );
}
