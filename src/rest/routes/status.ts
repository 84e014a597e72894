import { SCOPES } from '../../core/scopes.ts';
import { nameOfWord } from '../../graphql/vocabulary.ts';
import { StatusPingDocument } from '../generated/graphql.ts';
import { anyKey, type Route, route } from '../route.ts';

const SCOPE_WORDS = new Map<string, string>(SCOPES.map((scope) => [nameOfWord(scope), scope]));

/** Scopes as the contract writes them. The placeholders of the API document stay as they are. */
const wordsOf = <Name extends string>(names: readonly Name[]): readonly string[] =>
  names.every((name) => typeof name === 'string') ? names.map((name) => SCOPE_WORDS.get(name) ?? name) : names;

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
    answer: ({ statusPing }) => ({ body: { ok: true, ...statusPing, scopes: wordsOf(statusPing.scopes) } }),
  }),
];
