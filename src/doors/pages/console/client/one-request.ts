import { type Answer, mergeQueries, type Sent } from './merge-queries.ts';

/** How queries are sent. */
export interface OneRequestOptions {
  /** Sends a document. */
  post(init: RequestInit): Promise<Response>;
  /** Resolves once the page has begun to read, so that the frame around it reads in the same request. */
  readonly opened: Promise<void>;
  /** Called with true while the limit of requests is waited for. */
  onWait(waits: boolean): void;
}

/** A query that waits to be sent, and its answer. */
interface Waiting {
  readonly sent: Sent;
  readonly init: RequestInit;
  answer(response: Promise<Response>): void;
}

/** At most this many queries are one document: a document has limits of size. */
const MOST = 8;
/** A page that does not open, because its script does not arrive, does not keep the frame waiting. */
const PATIENCE_MS = 1_500;
/** Used where the server does not say when it takes further requests. */
const PAUSE_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A `fetch` that sends all queries of a moment as one document. While the limit of requests is reached, queries wait
 * for it and are sent again; what the page shows stays. Mutations are sent as they are.
 */
export function oneRequest({ post, opened, onWait }: OneRequestOptions): (init: RequestInit) => Promise<Response> {
  let waiting: Waiting[] = [];
  let limited = 0;

  async function read(init: RequestInit, sent: Sent): Promise<{ response: Response; answer: Answer }> {
    for (;;) {
      const response = await post({ ...init, body: JSON.stringify(sent) });
      const answer = (await response
        .clone()
        .json()
        .catch(() => ({}))) as Answer;
      const refusal = answer.errors?.[0]?.extensions;
      if (refusal?.code !== 'rate_limited') return { response, answer };
      if (++limited === 1) onWait(true);
      await pause(refusal.resetAt ? Math.max(50, refusal.resetAt - Date.now() + 50) : PAUSE_MS);
      if (--limited === 0) onWait(false);
    }
  }

  const alone = async ({ init, sent }: Waiting): Promise<Response> => (await read(init, sent)).response;

  async function together(queries: readonly Waiting[]): Promise<void> {
    const [first] = queries;
    if (queries.length === 1) return first!.answer(alone(first!));
    const merged = mergeQueries(queries.map(({ sent }) => sent));
    try {
      const { query, variables } = merged;
      const { signal: _ofOne, ...init } = first!.init;
      const { response, answer } = await read(init, { query, variables });
      // One query without an answer must not take the others with it.
      if (!answer.data) for (const one of queries) one.answer(alone(one));
      else {
        const { status, headers } = response;
        const parts = merged.split(answer);
        for (const [n, one] of queries.entries())
          one.answer(Promise.resolve(new Response(JSON.stringify(parts[n]), { status, headers })));
      }
    } catch (error) {
      for (const { answer } of queries) answer(Promise.reject(error));
    }
  }

  function send(): void {
    const queries = waiting.filter(({ init }) => !init.signal?.aborted);
    waiting = [];
    for (let n = 0; n < queries.length; n += MOST) void together(queries.slice(n, n + MOST));
  }

  let begun = false;
  async function begin(): Promise<void> {
    if (begun) return;
    begun = true;
    await Promise.race([opened, pause(PATIENCE_MS)]);
    // What the components of a page ask for comes in one task.
    await pause(0);
    begun = false;
    send();
  }

  return (init) => {
    const sent = JSON.parse(String(init.body)) as Sent;
    if (!sent.query.trimStart().startsWith('query')) return post(init);
    return new Promise((resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal!.reason));
      waiting.push({ sent: { query: sent.query, variables: sent.variables ?? {} }, init, answer: resolve });
      void begin();
    });
  };
}
