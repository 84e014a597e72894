import { ErrorNote } from '../client/error-note.tsx';
import { PageHead } from '../client/page-head.tsx';
import { words } from '../shared/words.ts';

/**
 * Stands for a page whose script could not be loaded: the server does not answer, or has a newer version since this tab
 * was opened. A script that failed is not asked for again without loading the document again.
 */
export const unreachablePage = (title: string) => () => (
  <>
    <PageHead title={title} />
    <ErrorNote problem={words.unreachable} again={() => location.reload()} />
  </>
);
