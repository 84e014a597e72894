import type { ComponentChild, ComponentChildren } from 'preact';
import { words } from '../shared/words.ts';
import type { Read } from './ask.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { type PageInfo, Pager, Rows, SkeletonRows } from './rows.tsx';

interface LoadedProps<Value> {
  readonly read: Pick<Read<unknown>, 'problem' | 'again'>;
  /** What was read; null or undefined while it is on its way. */
  readonly of: Value | null | undefined;
  /** What stands in its place until it is there: that many rows, or what is given. */
  readonly place: number | ComponentChild;
  /** Whether the page shows the problem in another place. Default: above what was read before. */
  readonly problemElsewhere?: boolean;
  readonly children: (value: Value) => ComponentChildren;
}

/** What a page reads: its place at first, then what was read. A problem has a button that reads again. */
export function Loaded<Value>({ read, of, place, problemElsewhere, children }: LoadedProps<Value>) {
  const { problem, again } = read;
  const waiting = typeof place === 'number' ? <SkeletonRows count={place} /> : place;
  return (
    <>
      {!problemElsewhere && <ErrorNote problem={problem} again={again} />}
      {of === null || of === undefined ? problem === null && waiting : children(of)}
    </>
  );
}

/** What stands in the place of a form until what it begins with is read. After a problem it is not shown either. */
export const Unread = ({ problem, again }: Pick<Read<unknown>, 'problem' | 'again'>) =>
  problem === null ? <p aria-busy="true">{words.loading}</p> : <ErrorNote problem={problem} again={again} />;

/** The place of a card that is being read. */
export function SkeletonCard({ kind = '', lines }: { readonly kind?: string; readonly lines: 1 | 2 }) {
  return (
    <div class={`card ${kind}`.trim()} aria-busy="true">
      <span class="skeleton" />
      {lines === 2 && <span class="skeleton" />}
    </div>
  );
}

/** All entries of a list, or one page of it. */
type List<Entry> = readonly Entry[] | { readonly nodes: readonly Entry[]; readonly pageInfo: PageInfo };

interface LoadedListProps<Entry> extends Omit<LoadedProps<List<Entry>>, 'children'> {
  /** What stands in the place of a list without entries: why it is empty, and the next step. */
  readonly empty: EmptyProps;
  readonly children: (entries: readonly Entry[]) => ComponentChildren;
}

/** A list that a page reads: its entries or why there are none, and the way to the next ones. */
export function LoadedList<Entry>({ empty, children, ...loaded }: LoadedListProps<Entry>) {
  return (
    <Loaded {...loaded}>
      {(list) => {
        const { nodes, pageInfo } = 'nodes' in list ? list : { nodes: list, pageInfo: null };
        return (
          <>
            {nodes.length === 0 ? <Empty {...empty} /> : children(nodes)}
            {pageInfo && <Pager info={pageInfo} />}
          </>
        );
      }}
    </Loaded>
  );
}

interface LoadedRowsProps<Entry> extends Omit<LoadedListProps<Entry>, 'children' | 'place'> {
  readonly read: Read<unknown>;
  readonly label: string;
  readonly place?: number;
  readonly row: (entry: Entry) => ComponentChild;
}

/** A list of rows that a page reads. While another page of it is on its way, its rows are marked as old. */
export function LoadedRows<Entry>({ label, row, place = 8, ...loaded }: LoadedRowsProps<Entry>) {
  const old = loaded.read.loading && !Array.isArray(loaded.of);
  return (
    <LoadedList {...loaded} place={place}>
      {(entries) => (
        <Rows label={label} old={old}>
          {entries.map(row)}
        </Rows>
      )}
    </LoadedList>
  );
}

export interface EmptyProps {
  readonly title: string;
  readonly text?: ComponentChildren;
  /** The next step. */
  readonly action?: { readonly href: string; readonly text: string };
}

/** The place of a list without entries: why it is empty, and the next step. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {text && <p>{text}</p>}
      {action && <Button href={action.href}>{action.text}</Button>}
    </div>
  );
}

/** The place of a page whose script is loading. Only assistive technology perceives its title. */
export function Opening({ title }: { readonly title: string }) {
  return (
    <div aria-busy="true">
      <h1 class="unseen">{title}</h1>
    </div>
  );
}
