import type { TestServer } from '../support/server.ts';

/** The results of an event stream, one after the other; `next` rejects when it has ended. */
export interface Events<T> {
  readonly status: number;
  next(): Promise<T>;
  /** Resolves once the server has ended or cut it; whether it said `complete`. */
  readonly over: Promise<boolean>;
  end(): void;
}

/** Opens a subscription as server-sent events. */
export async function openEvents<T>(
  { url }: Pick<TestServer, 'url'>,
  headers: Record<string, string>,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Events<T>> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
    body: JSON.stringify({ query, variables }),
    signal: abort.signal,
  });
  const waiting: ((result: T | null) => void)[] = [];
  const ready: T[] = [];
  let ended = false;
  async function read(): Promise<boolean> {
    let text = '';
    let complete = false;
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop() as string;
        for (const part of parts) {
          if (part.startsWith('event: complete')) complete = true;
          const data = /^data: (\{.*)$/m.exec(part)?.[1];
          if (!data) continue;
          const result = JSON.parse(data).data as T;
          const take = waiting.shift();
          if (take) take(result);
          else ready.push(result);
        }
      }
    } catch {
      // Cut: by either side.
    }
    ended = true;
    for (const take of waiting) take(null);
    return complete;
  }
  const over = read();
  return {
    status: response.status,
    over,
    async next() {
      const known = ready.shift();
      if (known !== undefined) return known;
      const result = ended ? null : await new Promise<T | null>((resolve) => waiting.push(resolve));
      if (result === null) throw new Error('the stream has ended');
      return result;
    },
    end: () => abort.abort(),
  };
}
