import { StatusPingDocument } from '../generated/graphql.ts';
import { anyKey, type Route, route } from './route.ts';
import { scopeWords } from './words.ts';

/** The service’s own status. */
export const statusRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/status/ping',
    access: anyKey,
    summary: 'Service status',
    refuses: [],
    operation: StatusPingDocument,
    variables: () => ({}),
    answer: ({ statusPing }) => ({ body: { ok: true, ...statusPing, scopes: scopeWords(statusPing.scopes) } }),
  }),
];
