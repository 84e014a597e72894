import { useLocation } from 'preact-iso';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { changeQuery } from './query.ts';

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
