import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { buyerText } from '../client/buyer.ts';
import { Select } from '../client/field.tsx';
import { type EmptyProps, LoadedRows } from '../client/loaded.tsx';
import { OwnMoney } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { PeriodFilter } from '../client/period-filter.tsx';
import { changeQuery } from '../client/query.ts';
import { useReadOnNews } from '../client/receipts-feed.ts';
import { pageVariables } from '../client/rows.tsx';
import { SearchBox } from '../client/search-box.tsx';
import { ForSelected, type Selection, SelectRow, useSelection } from '../client/selection.tsx';
import { useShopTime } from '../client/shop-zone.ts';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import { type ReceiptRowFragment, type ReceiptStatus, Receipts, VoidReceipts } from '../generated/receipts.ts';
import { wordFor, words } from '../shared/words.ts';
import { ExportReceipts } from './export.tsx';
import { filterOf, isFiltered, type ReceiptsQuery, SHOWN_GROUPS } from './filter.ts';

/** All receipts: one search box, a few filters, and the list as it moves. */
export default function ReceiptsPage() {
  const { query } = useLocation();
  const { after, before } = query;
  const { may } = useRights();
  const mayExport = may('reports');
  const mayVoid = may('money');
  const selection = useSelection();
  const { time, pause } = useShopTime(query);
  const filter = filterOf(query, time);
  const read = useRead(Receipts, { filter, ...pageVariables(query) }, { pause });
  const list = read.data?.receipts;
  const isEmpty = list?.nodes.length === 0 && !list.pageInfo.hasPreviousPage;
  useReadOnNews(() => {
    if (!after && !before) read.again();
  });
  return (
    <>
      <PageHead title={words.receipts.title}>
        {mayExport && <ExportReceipts filter={filter} isEmpty={isEmpty} />}
      </PageHead>
      <Filters query={query} />
      <LoadedRows
        read={read}
        of={read.data?.receipts}
        label={words.receipts.title}
        empty={noReceipts(query)}
        row={(receipt) => (
          <ReceiptRow key={receipt.id} receipt={receipt} selection={mayExport || mayVoid ? selection : null} />
        )}
      />
      <ForSelected
        selection={selection}
        write={VoidReceipts}
        outcomes={(data) => data.voidReceipts}
        action={(count) => words.receipts.void({ count })}
        text={words.receipts.voidText}
        kind="danger"
      >
        {mayExport && <ExportReceipts chosen={[...selection.rows.keys()]} />}
      </ForSelected>
    </>
  );
}

/** The statuses in which a receipt can be voided. */
const VOIDABLE: readonly ReceiptStatus[] = ['generated', 'pending', 'tx_mismatch', 'failed'];

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
            {wordFor(words.receipts.groups, name)}
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

interface ReceiptRowProps {
  readonly receipt: ReceiptRowFragment;
  /** Null for a role that neither exports nor voids. */
  readonly selection: Selection | null;
}

function ReceiptRow({ receipt, selection }: ReceiptRowProps) {
  const mayVoid = useRights().may('money');
  const { receiptId, status, closedAt, createdAt } = receipt;
  const isOpen = closedAt === null && VOIDABLE.includes(status);
  return (
    <li class="row receipt-row">
      {selection && (
        <SelectRow
          selection={selection}
          id={receiptId}
          name={`${summary(receipt)}, ${buyerText(receipt)}`}
          isOpen={mayVoid && isOpen}
        />
      )}
      <a class="row-link cut" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
        <bdi>{summary(receipt)}</bdi>
      </a>
      <span class="receipt-buyer soft cut">{buyerText(receipt)}</span>
      <ReceiptStatusMark status={status} closedAt={closedAt} />
      <span class="receipt-at soft">
        <When at={createdAt} />
      </span>
      <span class="receipt-total row-end">
        <OwnMoney receipt={receipt} />
      </span>
    </li>
  );
}

function noReceipts(query: ReceiptsQuery): EmptyProps {
  const { none, noneText, noneFound, noneFoundText, showAll, reference } = words.receipts;
  return isFiltered(query)
    ? { title: noneFound, text: noneFoundText, action: { href: '/console/receipts', text: showAll } }
    : { title: none, text: noneText, action: { href: '/docs', text: reference } };
}
