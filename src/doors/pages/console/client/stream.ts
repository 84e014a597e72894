import { useEffect, useRef } from 'preact/hooks';
import type { Operation } from '../../client/graphql.ts';
import { followStream } from '../../client/live-stream.ts';
import { createPatience } from '../../client/socket.ts';
import { useInside } from './inside.ts';

interface Listener<Data> {
  onData?(data: Data): void;
  /** The stream is open, for the first time or again. What was read before may be out of date. */
  onOpen(): void;
}

/** Where a stream begins, if not where the stream of receipts is, and whether that is not known yet. */
interface Beginning {
  readonly from?: string | undefined;
  readonly pause?: boolean;
}

/**
 * Follows a stream while the component is there. It begins before what the component reads first, so that nothing is
 * read twice. After an interruption it is opened again.
 */
export function useStream<Data, Variables extends object>(
  query: Operation<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  listener: Listener<Data>,
  { from, pause = false }: Beginning = {},
): void {
  const { settings, session, receipts } = useInside();
  const latest = useRef(listener);
  latest.current = listener;
  const first = useRef(from);
  first.current = from;
  const key = JSON.stringify(variables);
  useEffect(() => {
    if (pause) return;
    const closing = new AbortController();
    const patience = createPatience();
    const follow = async () => {
      let after = first.current ?? receipts.position();
      while (!closing.signal.aborted) {
        const begins = after;
        after = null;
        await followStream({
          url: settings.graphqlUrl,
          query,
          variables: { ...variables, after: begins } as Variables & { after: string | null },
          proof: { 'x-csrf-token': session.csrfToken },
          signal: closing.signal,
          onOpen() {
            patience.reset();
            if (begins === null) latest.current.onOpen();
          },
          onData: (data) => latest.current.onData?.(data),
        });
        if (!closing.signal.aborted) await patience.wait();
      }
    };
    void follow();
    return () => closing.abort();
  }, [settings, session, query, key, pause]);
}
