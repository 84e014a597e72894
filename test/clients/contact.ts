import { createClient, type ExecutionResult } from 'graphql-ws';
import { resumable } from '../../src/client/index.ts';

/** How a shop's program reaches the server. */
export interface Contact {
  /** The address of the server. */
  readonly url: string;
  /** The header with the key. */
  readonly key: Readonly<Record<string, string>>;
  /** The headers of the admin's session. */
  readonly session: Readonly<Record<string, string>>;
}

/** A change of a receipt. */
export interface Change {
  readonly receiptId: string;
  readonly seq: number;
  readonly cursor: string;
}

/** Takes the changes of a stream, and the error that ended it. */
interface Listener {
  next(change: Change | null | undefined): void;
  error(error: unknown): void;
}

/** What each client does against the live server. */
export interface ShopClient {
  /** A query with variables. */
  readTotal(receiptId: string): Promise<number | undefined>;
  /** The ids of a connection to its end, a few at a time. */
  listReceipts(pageSize: number): Promise<string[]>;
  /** A mutation of the admin: the name of the saved item. */
  saveItem(item: { sku: string; name: string; priceUsd: number }): Promise<string | undefined>;
  /** A subscription over a websocket, after a cursor. Returns how to end it. */
  follow(after: string, listener: Listener): () => void;
  /** The same as an event stream. */
  readEvents(after: string, listener: Listener): () => void;
}

export const graphqlUrl = ({ url }: Contact): string => `${url}/api/graphql`;

/** A websocket that reconnects for as long as it takes, and resumes its subscriptions. */
export const openSocket = (contact: Contact) =>
  resumable(
    createClient({
      url: graphqlUrl(contact).replace('http', 'ws'),
      connectionParams: contact.key,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
      shouldRetry: () => true,
    }),
  );

/** An operation as it is sent. */
export interface Payload {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Sends an operation and returns its data. Throws its errors. */
export async function post<Data>(contact: Contact, headers: Contact['key'], payload: Payload): Promise<Data> {
  const response = await fetch(graphqlUrl(contact), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(payload),
  });
  const { data, errors } = (await response.json()) as ExecutionResult<Data>;
  if (errors) throw new Error(JSON.stringify(errors));
  return data as Data;
}

/** Sends a subscription as an event stream, and passes its results on until the returned function is called. */
export function openEventStream<Data>(
  contact: Contact,
  payload: Payload,
  sink: { next(result: ExecutionResult<Data>): void; error(error: unknown): void },
): () => void {
  const abort = new AbortController();
  async function read(): Promise<void> {
    const response = await fetch(graphqlUrl(contact), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...contact.key },
      body: JSON.stringify(payload),
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() as string;
      for (const event of events) {
        const [, data] = /^data: (\{.*)$/m.exec(event) ?? [];
        if (data) sink.next(JSON.parse(data));
      }
    }
  }
  read().catch((error) => {
    if (!abort.signal.aborted) sink.error(error);
  });
  return () => abort.abort();
}
