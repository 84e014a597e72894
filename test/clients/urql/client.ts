import { Client, cacheExchange, fetchExchange, gql, subscriptionExchange, type TypedDocumentNode } from '@urql/core';
import { type Change, type Contact, graphqlUrl, openSocket, type ShopClient } from '../contact.ts';

const Receipt: TypedDocumentNode<{ receipt: { totalUsd: number } | null }, { receiptId: string }> = gql`
  query UrqlReceipt($receiptId: ID!) {
    receipt(receiptId: $receiptId) {
      receiptId
      totalUsd
    }
  }
`;
interface Page {
  readonly receipts: {
    readonly nodes: readonly { readonly receiptId: string }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  } | null;
}
const Receipts: TypedDocumentNode<Page, { first: number; after?: string | null }> = gql`
  query UrqlReceipts($first: Int!, $after: String) {
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
`;
const SaveItem: TypedDocumentNode<{ saveInventoryItem: { name: string } | null }, { input: object }> = gql`
  mutation UrqlSaveItem($input: InventoryItemInput!) {
    saveInventoryItem(input: $input) {
      name
    }
  }
`;
const Statuses: TypedDocumentNode<{ receiptStatuses: Change | null }, { after: string }> = gql`
  subscription UrqlStatuses($after: String) {
    receiptStatuses(after: $after) {
      receiptId
      seq
      cursor
    }
  }
`;

/** urql with its document cache. */
export function urqlClient(contact: Contact): ShopClient {
  const socket = openSocket(contact);
  const url = graphqlUrl(contact);
  const forward = subscriptionExchange({
    forwardSubscription: ({ query = '', variables }) => ({
      subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query, variables }, sink) }),
    }),
  });
  const fetchOptions = { headers: { ...contact.key } };
  const client = new Client({
    url,
    fetchOptions,
    preferGetMethod: false,
    exchanges: [cacheExchange, forward, fetchExchange],
  });
  // Its own exchange for requests reads event streams too.
  const streaming = new Client({
    ...{ url, fetchOptions, fetchSubscriptions: true, preferGetMethod: false },
    exchanges: [fetchExchange],
  });
  const admin = { fetchOptions: { headers: { ...contact.session } } };

  const listen =
    (from: Client): ShopClient['follow'] =>
    (after, listener) =>
      from.subscription(Statuses, { after }).subscribe(({ data, error }) => {
        if (error) listener.error(error);
        else listener.next(data?.receiptStatuses);
      }).unsubscribe;

  return {
    async readTotal(receiptId) {
      const { data, error } = await client.query(Receipt, { receiptId });
      if (error) throw error;
      return data?.receipt?.totalUsd;
    },
    async listReceipts(first) {
      const ids: string[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const { data, error } = await client.query(Receipts, { first, after }).toPromise();
        if (error) throw error;
        ids.push(...(data?.receipts?.nodes.map(({ receiptId }) => receiptId) ?? []));
        after = data?.receipts?.pageInfo.hasNextPage ? data.receipts.pageInfo.endCursor : null;
      }
      return ids;
    },
    async saveItem(input) {
      const { data, error } = await client.mutation(SaveItem, { input }, admin);
      if (error) throw error;
      return data?.saveInventoryItem?.name;
    },
    follow: listen(client),
    readEvents: listen(streaming),
  };
}
