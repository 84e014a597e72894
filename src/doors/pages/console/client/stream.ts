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

/** Follows a stream while the component is there. After an interruption it is opened again. */
export function useStream<Data, Variables extends object>(
  query: Operation<Data, Variables>,
  variables: Variables,
  listener: Listener<Data>,
): void {
  const { settings, session } = useInside();
  const latest = useRef(listener);
  latest.current = listener;
  const key = JSON.stringify(variables);
  useEffect(() => {
    const closing = new AbortController();
    const patience = createPatience();
    const follow = async () => {
      while (!closing.signal.aborted) {
        await followStream({
          url: settings.graphqlUrl,
          query,
          variables,
          proof: { 'x-csrf-token': session.csrfToken },
          signal: closing.signal,
          onOpen() {
            patience.reset();
            latest.current.onOpen();
          },
          onData: (data) => latest.current.onData?.(data),
        });
        if (!closing.signal.aborted) await patience.wait();
      }
    };
    void follow();
    return () => closing.abort();
  }, [settings, session, query, key]);
}
