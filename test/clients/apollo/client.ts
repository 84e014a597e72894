import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, type TypedDocumentNode } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { print } from 'graphql';
import { Observable } from 'rxjs';
import { type Change, type Contact, graphqlUrl, openEventStream, openSocket, type ShopClient } from '../contact.ts';

const Receipt: TypedDocumentNode<{ receipt: { totalUsd: number } | null }, { receiptId: string }> = gql`
  query ApolloReceipt($receiptId: ID!) {
    receipt(receiptId: $receiptId) {
      id
      receiptId
      totalUsd
    }
  }
`;
interface Page {
  readonly receipts: {
    readonly edges: readonly { readonly node: { readonly receiptId: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  };
}
const Receipts: TypedDocumentNode<Page, { first: number; after?: string | null }> = gql`
  query ApolloReceipts($first: Int!, $after: String) {
    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc }) {
      edges {
        cursor
        node {
          id
          receiptId
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
const SaveItem: TypedDocumentNode<{ saveInventoryItem: { name: string } | null }, { input: object }> = gql`
  mutation ApolloSaveItem($input: InventoryItemInput!) {
    saveInventoryItem(input: $input) {
      id
      name
    }
  }
`;
const Statuses: TypedDocumentNode<{ receiptStatuses: Change | null }, { after: string }> = gql`
  subscription ApolloStatuses($after: String) {
    receiptStatuses(after: $after) {
      id
      receiptId
      seq
      cursor
    }
  }
`;

/** Apollo Client with its normalised cache. */
export function apolloClient(contact: Contact): ShopClient {
  const uri = graphqlUrl(contact);
  const isMutation = ({ operationType }: ApolloLink.Operation) => operationType === 'mutation';
  const http = ApolloLink.split(
    isMutation,
    new HttpLink({ uri, headers: { ...contact.session } }),
    new HttpLink({ uri, headers: { ...contact.key } }),
  );
  const socket = new GraphQLWsLink(openSocket(contact));
  const events = new ApolloLink(
    ({ query, variables }) =>
      new Observable<ApolloLink.Result>((observer) =>
        openEventStream(contact, { query: print(query), variables }, observer as never),
      ),
  );
  const clientOver = (streams: ApolloLink) =>
    new ApolloClient({
      link: ApolloLink.split(({ operationType }) => operationType === 'subscription', streams, http),
      // A list is one for each order, not for each page.
      cache: new InMemoryCache({
        typePolicies: { Query: { fields: { receipts: relayStylePagination(['orderBy']) } } },
      }),
    });
  const client = clientOver(socket);

  const listen =
    (from: ApolloClient): ShopClient['follow'] =>
    (after, { next, error }) => {
      const subscription = from
        .subscribe({ query: Statuses, variables: { after } })
        .subscribe((result) => (result.error ? error(result.error) : next(result.data?.receiptStatuses)));
      return () => subscription.unsubscribe();
    };

  return {
    async readTotal(receiptId) {
      const { data } = await client.query({ query: Receipt, variables: { receiptId } });
      return data?.receipt?.totalUsd;
    },
    async listReceipts(first) {
      const variables = { first };
      await client.query({ query: Receipts, variables });
      const list = client.watchQuery({ query: Receipts, variables });
      const shown = list.subscribe(() => {});
      for (;;) {
        // The cache joins the pages.
        const { receipts } = client.readQuery({ query: Receipts, variables }) as Page;
        const { hasNextPage, endCursor } = receipts.pageInfo;
        if (hasNextPage) await list.fetchMore({ variables: { after: endCursor } });
        else {
          shown.unsubscribe();
          return receipts.edges.map(({ node }) => node.receiptId);
        }
      }
    },
    async saveItem(input) {
      const { data } = await client.mutate({ mutation: SaveItem, variables: { input } });
      return data?.saveInventoryItem?.name;
    },
    follow: listen(client),
    readEvents: listen(clientOver(events)),
  };
}
