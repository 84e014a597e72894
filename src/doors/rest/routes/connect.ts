import { tokenInput } from '../../../domain/operations/connect/connect.input.ts';
import { ExchangeConnectCodeDocument } from '../generated/graphql.ts';
import { readsBody } from './reader.ts';
import { open, type Route, route } from './route.ts';

/** How a shop system gets its key. */
export const connectRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/connect/token',
    access: open,
    summary: 'Connect a shop system',
    detail:
      'Exchanges the code that the page `/console/connect` gave for a key and the secret of an endpoint. A code is valid once, for five minutes.',
    body: readsBody(tokenInput, (checked) => checked),
    refuses: ['connect_code_invalid'],
    operation: ExchangeConnectCodeDocument,
    variables: ({ body }) => body,
    answer: ({ exchangeConnectCode }) => ({ body: { ok: true, ...exchangeConnectCode } }),
  }),
];
