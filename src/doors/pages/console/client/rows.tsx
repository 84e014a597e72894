import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { changeQuery } from './query.ts';

/** A list of rows; `old` while other rows are on their way. */
export function Rows({
  label,
  old,
  children,
}: {
  readonly label: string;
  readonly old?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <ul class={old ? 'rows old' : 'rows'} aria-label={label} aria-busy={old}>
      {children}
    </ul>
  );
}

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8];

/** The place of rows that are being read, as high as they will be. */
export function SkeletonRows({ count = PLACES.length }: { readonly count?: number }) {
  return (
    <div class="rows" aria-busy="true">
      <p class="unseen" role="status">
        {words.loading}
      </p>
      {PLACES.slice(0, count).map((n) => (
        <div key={n} class="row">
          <span class="skeleton" />
        </div>
      ))}
    </div>
  );
}

/** The entries of one page, where the list is all of its page. */
const PAGE = 50;

export interface PageInfo {
  readonly startCursor: string | null;
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** The page of a list that an address names, as variables of its connection. */
export function pageVariables({ after, before }: { readonly after?: string; readonly before?: string }, size = PAGE) {
  if (before) return { last: size, before };
  return after ? { first: size, after } : { first: size };
}

/** Leads to the newer and the older entries of a list. The address names the page, so a list of any length is fast. */
export function Pager({ info }: { readonly info: PageInfo }) {
  const { url } = useLocation();
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = info;
  if (!hasNextPage && !hasPreviousPage) return null;
  return (
    <nav class="pager" aria-label={words.pager.label}>
      {hasPreviousPage ? (
        <Button href={changeQuery(url, { before: startCursor ?? '', after: '' })}>
          <Icon name="left" />
          {words.pager.newer}
        </Button>
      ) : (
        <span />
      )}
      {hasNextPage && (
        <Button href={changeQuery(url, { after: endCursor ?? '', before: '' })}>
          {words.pager.older}
          <Icon name="right" />
        </Button>
      )}
    </nav>
  );
}
