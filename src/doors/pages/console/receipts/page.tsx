import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';

import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Empty } from '../client/empty.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Select } from '../client/field.tsx';
import { OwnMoney } from '../client/own-money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Pager, pageVariables } from '../client/pager.tsx';
import { PeriodFilter } from '../client/period-filter.tsx';
import { changeQuery } from '../client/query.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { useRights } from '../client/rights.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
import { SearchBox } from '../client/search-box.tsx';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import { type ReceiptRowFragment, Receipts } from '../generated/receipts.ts';
import { words } from '../shared/words.ts';
import { ExportReceipts } from './export.tsx';
import { filterOf, isFiltered, type ReceiptsQuery, SHOWN_GROUPS } from './filter.ts';

/** All receipts: one search box, a few filters, and the list as it moves. */
export default function ReceiptsPage() {
  const { query } = useLocation();
  const { after, before } = query;
  const mayExport = useRights().may('reports');
  // A period is relative to the day on which the list is opened, not to each moment.
  const [now] = useState(() => new Date());
  const filter = filterOf(query, now);
  const { data, problem, loading, again } = useRead(Receipts, { filter, ...pageVariables(query) });
  useReadOnNews(() => {
    if (!after && !before) again();
  });
  const receipts = data?.receipts;
  return (
    <>
      <PageHead title={words.receipts.title}>{mayExport && <ExportReceipts filter={filter} />}</PageHead>
      <Filters query={query} />
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {receipts && receipts.nodes.length > 0 && (
        <Rows label={words.receipts.title} old={loading}>
          {receipts.nodes.map((receipt) => (
            <ReceiptRow key={receipt.id} receipt={receipt} />
          ))}
        </Rows>
      )}
      {!receipts && problem === null && <SkeletonRows />}
      {receipts?.nodes.length === 0 && <NoReceipts query={query} />}
      {receipts && <Pager info={receipts.pageInfo} />}
    </>
  );
}

function Filters({ query }: { readonly query: ReceiptsQuery }) {
  const { show = '' } = query;
  const change = useChange();
  return (
    <search class="filters">
      <SearchBox
        q={query.q ?? ''}
        label={words.receipts.search}
        hint={words.receipts.searchHint}
        onSearch={(q) => change({ q })}
      />
      <Select label={words.receipts.show} value={show} onChange={(value) => change({ show: value })}>
        <option value="">{words.receipts.groups.all}</option>
        {SHOWN_GROUPS.map((name) => (
          <option key={name} value={name}>
            {words.receipts.groups[name]}
          </option>
        ))}
      </Select>
      <PeriodFilter query={query} onChange={change} />
    </search>
  );
}

/** Changes the address; the list starts with its first page again. */
function useChange(): (changes: ReceiptsQuery) => void {
  const { url, route } = useLocation();
  return (changes) => route(changeQuery(url, { ...changes, after: '', before: '' }), true);
}

function ReceiptRow({ receipt }: { readonly receipt: ReceiptRowFragment }) {
  const { receiptId, status, createdAt, buyerWallet, billingAddress, transactionId } = receipt;
  const buyer = billingAddress?.email ?? transactionId ?? (buyerWallet && shortHash(buyerWallet));
  return (
    <li class="row receipt-row">
      <a class="row-link cut" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
        <bdi>{summary(receipt)}</bdi>
      </a>
      <span class="receipt-buyer soft cut">{buyer ?? receiptId}</span>
      <ReceiptStatusMark status={status} />
      <span class="receipt-at soft">
        <When at={createdAt} />
      </span>
      <span class="receipt-total row-end">
        <OwnMoney receipt={receipt} />
      </span>
    </li>
  );
}

function NoReceipts({ query }: { readonly query: ReceiptsQuery }) {
  if (isFiltered(query))
    return (
      <Empty
        title={words.receipts.noneFound}
        text={words.receipts.noneFoundText}
        action={{ href: '/console/receipts', text: words.receipts.showAll }}
      />
    );
  return (
    <Empty
      title={words.receipts.none}
      text={words.receipts.noneText}
      action={{ href: '/docs', text: words.receipts.reference }}
    />
  );
}
