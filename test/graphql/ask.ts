import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Answer } from '../support/http.ts';
import type { TestServer } from '../support/server.ts';

/** Sends one operation as JSON. */
export function ask(
  server: TestServer,
  headers: Record<string, string>,
  query: string,
  variables?: Record<string, unknown>,
): Promise<Answer> {
  return server.call('POST', '/api/graphql', { headers, body: { query, ...(variables ? { variables } : {}) } });
}

/** The contract's code of the first error; null where there is none. */
export const codeOf = ({ body }: Answer): string | null => body.errors?.[0]?.extensions?.code ?? null;

export const socketUrl = ({ url }: TestServer): string => `${url.replace('http', 'ws')}/api/graphql`;

/** A graphql-ws client with these parameters of `connection_init` and headers of the upgrade; it never tries again. */
export function socketClient(
  server: TestServer,
  connectionParams: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  class WithHeaders extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols, { headers });
    }
  }
  return createClient({
    url: socketUrl(server),
    webSocketImpl: WithHeaders,
    connectionParams,
    retryAttempts: 0,
    lazy: true,
  });
}

function refused(errors: unknown): never {
  throw Object.assign(new Error('refused'), { errors });
}

type Client = ReturnType<typeof createClient>;

/** What a subscription sends, one after the other; `next` waits. The end is `{ done: true }`, a refusal is thrown. */
export function follow<T>(
  client: Client,
  query: string,
  variables: Record<string, unknown> = {},
  extensions: Record<string, unknown> = {},
) {
  const results = client.iterate<T>({ query, variables, extensions });
  return {
    async next(): Promise<T> {
      const { value, done } = await results.next().catch((errors: unknown) => refused(errors));
      if (done) throw new Error('the stream has ended');
      if (value.errors) return refused(value.errors);
      return value.data as T;
    },
    end: () => results.return?.(),
  };
}
