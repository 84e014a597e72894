type Payload = { readonly query?: string | null; readonly variables?: Readonly<Record<string, unknown>> | null };
type Sink = { next(result: { readonly data?: Readonly<Record<string, unknown>> | null }): void };
type Subscribe = (payload: Payload, sink: Sink) => () => void;

/** An event of a stream, as far as the operation selects it. */
type Place = { readonly cursor?: string; readonly seq?: number } | null;

/**
 * A client of graphql-ws whose subscriptions resume: when it reconnects by itself, each continues after the last event
 * that it received, without gaps or repeats. The operation declares `$after` and selects `cursor`, or `$afterSeq` and
 * `seq`. For Apollo Client, urql, Relay and others that take such a client.
 */
export function resumable<Client extends { subscribe(payload: never, sink: never): () => void }>(
  client: Client,
): Client {
  const subscribe: Subscribe = (payload, sink) => {
    const { query } = payload;
    // graphql-ws sends this object again after each reconnect.
    const variables: Record<string, unknown> = { ...payload.variables };
    return (client.subscribe as Subscribe)(
      { ...payload, variables },
      {
        ...sink,
        next(result) {
          const [event] = Object.values(result.data ?? {}) as Place[];
          if (event?.cursor !== undefined && query?.includes('$after:')) variables.after = event.cursor;
          if (event?.seq !== undefined && query?.includes('$afterSeq:')) variables.afterSeq = event.seq;
          sink.next(result);
        },
      },
    );
  };
  return { ...client, subscribe };
}
