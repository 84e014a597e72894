import { type Contact, openEventStream, openSocket, type Payload, post, type ShopClient } from '../contact.ts';
import { graphql } from './generated/gql.ts';
import type { CodegenStatusesSubscription, TypedDocumentString } from './generated/graphql.ts';

const Receipt = graphql(`
  query CodegenReceipt($receiptId: ID!) {
    receipt(receiptId: $receiptId) {
      receiptId
      totalUsd
    }
  }
`);
const Receipts = graphql(`
  query CodegenReceipts($first: Int!, $after: String) {
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
  mutation CodegenSaveItem($input: InventoryItemInput!) {
    saveInventoryItem(input: $input) {
      name
    }
  }
`);
const Statuses = graphql(`
  subscription CodegenStatuses($after: String) {
    receiptStatuses(after: $after) {
      receiptId
      seq
      cursor
    }
  }
`);

/** The client preset of graphql-codegen, with `fetch` and graphql-ws. */
export function codegenClient(contact: Contact): ShopClient {
  const socket = openSocket(contact);
  const ask = <Data, Variables>(
    document: TypedDocumentString<Data, Variables>,
    variables: Variables,
    headers = contact.key,
  ): Promise<Data> => post(contact, headers, payloadOf(document, variables));
  return {
    readTotal: async (receiptId) => (await ask(Receipt, { receiptId })).receipt?.totalUsd,
    async listReceipts(first) {
      const ids: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { receipts } = await ask(Receipts, { first, after });
        ids.push(...(receipts?.nodes.map(({ receiptId }) => receiptId) ?? []));
        after = receipts?.pageInfo.hasNextPage ? receipts.pageInfo.endCursor : null;
      }
      return ids;
    },
    saveItem: async (input) => (await ask(SaveItem, { input }, contact.session)).saveInventoryItem?.name,
    follow: (after, { next, error }) =>
      socket.subscribe<CodegenStatusesSubscription>(payloadOf(Statuses, { after }), {
        next: ({ data }) => next(data?.receiptStatuses),
        error,
        complete() {},
      }),
    readEvents: (after, { next, error }) =>
      openEventStream<CodegenStatusesSubscription>(contact, payloadOf(Statuses, { after }), {
        next: ({ data }) => next(data?.receiptStatuses),
        error,
      }),
  };
}

const payloadOf = <Variables>(document: TypedDocumentString<unknown, Variables>, variables: Variables): Payload => ({
  query: document.toString(),
  variables: variables as Record<string, unknown>,
});
