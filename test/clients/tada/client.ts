import { type DocumentDecoration, initGraphQLTada, type ResultOf } from 'gql.tada';
import { print } from 'graphql';
import { type Contact, openEventStream, openSocket, type Payload, post, type ShopClient } from '../contact.ts';
import type { introspection } from './generated/schema.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Usd: number; Millis: number; SafeInt: number };
}>();

const Receipt = graphql(`
  query TadaReceipt($receiptId: ID!) {
    receipt(receiptId: $receiptId) {
      receiptId
      totalUsd
    }
  }
`);
const Receipts = graphql(`
  query TadaReceipts($first: Int!, $after: String) {
    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc }) {
      nodes {
        receiptId
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
const SaveItem = graphql(`
  mutation TadaSaveItem($input: InventoryItemInput!) {
    saveInventoryItem(input: $input) {
      name
    }
  }
`);
const Statuses = graphql(`
  subscription TadaStatuses($after: String) {
    receiptStatuses(after: $after) {
      receiptId
      seq
      cursor
    }
  }
`);

/** gql.tada, which types documents without generated code, with `fetch` and graphql-ws. */
export function tadaClient(contact: Contact): ShopClient {
  const socket = openSocket(contact);
  const ask = <Data, Variables>(
    document: DocumentDecoration<Data, Variables>,
    variables: Variables,
    headers = contact.key,
  ): Promise<Data> => post(contact, headers, payloadOf(document, variables));
  return {
    readTotal: async (receiptId) => (await ask(Receipt, { receiptId })).receipt?.totalUsd,
    async listReceipts(first) {
      const ids: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { receipts }: ResultOf<typeof Receipts> = await ask(Receipts, { first, after });
        ids.push(...(receipts?.nodes.map(({ receiptId }) => receiptId) ?? []));
        after = receipts?.pageInfo.hasNextPage ? receipts.pageInfo.endCursor : null;
      }
      return ids;
    },
    saveItem: async (input) => (await ask(SaveItem, { input }, contact.session)).saveInventoryItem?.name,
    follow: (after, { next, error }) =>
      socket.subscribe<ResultOf<typeof Statuses>>(payloadOf(Statuses, { after }), {
        next: ({ data }) => next(data?.receiptStatuses),
        error,
        complete() {},
      }),
    readEvents: (after, { next, error }) =>
      openEventStream<ResultOf<typeof Statuses>>(contact, payloadOf(Statuses, { after }), {
        next: ({ data }) => next(data?.receiptStatuses),
        error,
      }),
  };
}

const payloadOf = <Data, Variables>(document: DocumentDecoration<Data, Variables>, variables: Variables): Payload => ({
  query: print(document as Parameters<typeof print>[0]),
  variables: variables as Record<string, unknown>,
});
