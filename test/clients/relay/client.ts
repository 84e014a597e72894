import relay, { type GraphQLResponse, type RequestParameters, type Variables } from 'relay-runtime';
import { type Contact, openEventStream, openSocket, type Payload, post, type ShopClient } from '../contact.ts';
import Receipt, { type documentsReceiptQuery } from './generated/documentsReceiptQuery.graphql.ts';
import Receipts, {
  type documentsReceiptsQuery,
  type documentsReceiptsQuery$data,
} from './generated/documentsReceiptsQuery.graphql.ts';
import SaveItem, { type documentsSaveItemMutation } from './generated/documentsSaveItemMutation.graphql.ts';
import Statuses, { type documentsStatusesSubscription } from './generated/documentsStatusesSubscription.graphql.ts';

const {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getRequest,
  Network,
  Observable,
  RecordSource,
  requestSubscription,
  Store,
} = relay;

const payloadOf = ({ text }: RequestParameters, variables: Variables): Payload => ({ query: text ?? '', variables });

/** Relay with the artifacts of its compiler. */
export function relayClient(contact: Contact): ShopClient {
  const socket = openSocket(contact);
  const request = async (operation: RequestParameters, variables: Variables): Promise<GraphQLResponse> => ({
    data: await post<Record<string, unknown>>(
      contact,
      operation.operationKind === 'mutation' ? contact.session : contact.key,
      payloadOf(operation, variables),
    ),
  });
  const environmentOver = (open: (payload: Payload, sink: Sink) => () => void) =>
    new Environment({
      network: Network.create(request, (operation, variables) =>
        Observable.create((sink) => open(payloadOf(operation, variables), sink as unknown as Sink)),
      ),
      store: new Store(new RecordSource()),
    });
  const environment = environmentOver((payload, sink) => socket.subscribe(payload, sink));
  const streaming = environmentOver((payload, sink) => openEventStream(contact, payload, sink));

  const listen =
    (from: typeof environment): ShopClient['follow'] =>
    (after, { next, error }) =>
      requestSubscription<documentsStatusesSubscription>(from, {
        subscription: Statuses,
        variables: { after },
        onNext: (data) => next(data?.receiptStatuses),
        onError: error,
      }).dispose;

  return {
    async readTotal(receiptId) {
      const data = await fetchQuery<documentsReceiptQuery>(environment, Receipt, { receiptId }).toPromise();
      return data?.receipt?.totalUsd;
    },
    async listReceipts(first) {
      // The store joins the pages of the connection.
      const whole = createOperationDescriptor(getRequest(Receipts), { first });
      environment.retain(whole);
      for (let after: string | null | undefined; after !== null; ) {
        await fetchQuery<documentsReceiptsQuery>(environment, Receipts, { first, after }).toPromise();
        const { receipts } = environment.lookup(whole.fragment).data as unknown as Joined;
        after = receipts?.pageInfo.hasNextPage ? receipts.pageInfo.endCursor : null;
        if (after === null) return receipts?.edges.map(({ node }) => node.receiptId) ?? [];
      }
      return [];
    },
    saveItem: (input) =>
      new Promise((resolve, reject) => {
        commitMutation<documentsSaveItemMutation>(environment, {
          mutation: SaveItem,
          variables: { input },
          onCompleted: ({ saveInventoryItem }) => resolve(saveInventoryItem?.name),
          onError: reject,
        });
      }),
    follow: listen(environment),
    readEvents: listen(streaming),
  };
}

interface Sink {
  next(result: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/** The connection in the store. Relay adds the information about the page. */
interface Joined {
  readonly receipts:
    | (NonNullable<documentsReceiptsQuery$data['receipts']> & {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      })
    | null;
}
