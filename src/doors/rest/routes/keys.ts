import { z } from 'zod';
import { nameOfWord } from '../../../base/graphql/vocabulary.ts';
import { rotationInput } from '../../../domain/access/keys/change-keys.ts';
import { keyInput } from '../../../domain/access/keys/issue.ts';
import {
  IssueKeyDocument,
  type IssueKeyInput,
  type KeyRecordFragment,
  KeysDocument,
  RevokeKeyDocument,
  RotateKeyDocument,
} from '../generated/graphql.ts';
import { cursorText, limitUpTo, readsBody, readsQuery } from './reader.ts';
import { admin, type Route, route } from './route.ts';
import { scopeWords } from './words.ts';

/** The body of `POST /api/keys`. GraphQL has other names for the scopes. */
const keyBody = readsBody(
  keyInput,
  ({ scopes, ...rest }): IssueKeyInput => ({ ...rest, scopes: scopes.map(nameOfWord) as IssueKeyInput['scopes'] }),
);

/** The body of `POST /api/keys/{id}/rotate`. */
const keyRotationBody = readsBody(rotationInput, (checked) => checked, { mayBeMissing: true });

/** The query of `GET /api/keys`. */
const keysQuery = readsQuery(
  z.object({
    limit: limitUpTo(200),
    cursor: cursorText,
  }),
  ({ limit, cursor }) => ({ first: limit, after: cursor || null }),
);

const recordOf = ({ keyId, scopes, ...key }: KeyRecordFragment) => ({ id: keyId, ...key, scopes: scopeWords(scopes) });

/** The developer keys of a merchant. No key manages keys. */
export const keyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/keys',
    access: admin,
    summary: 'List keys',
    detail: 'The newest first, also those that have ended. `nextCursor` is the `cursor` of the next page.',
    query: keysQuery,
    refuses: ['bad_cursor'],
    operation: KeysDocument,
    variables: ({ query }) => query,
    answer: ({ keys: { nodes, pageInfo } }) => ({
      body: { keys: nodes.map(recordOf), nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null },
    }),
    next: ({ keys: { pageInfo } }) => (pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null),
  }),
  route({
    method: 'POST',
    path: '/api/keys',
    access: admin,
    summary: 'Issue a key',
    detail:
      'The answer shows its `secret`, once. Scopes that write need an owner who signed within the last five minutes.',
    body: keyBody,
    repeatable: true,
    refuses: [],
    operation: IssueKeyDocument,
    variables: ({ body, idempotencyKey }) => ({ input: body, idempotencyKey }),
    answer: ({ issueKey: { key, secret } }) => ({ status: 201, body: { ok: true, key: key && recordOf(key), secret } }),
  }),
  route({
    method: 'POST',
    path: '/api/keys/:id/rotate',
    access: admin,
    summary: 'Rotate a key',
    detail:
      'Issues a key with the same properties; the answer shows its `secret`, once. The replaced key works until the overlap ends. A key that writes needs an owner who signed within the last five minutes.',
    body: keyRotationBody,
    repeatable: true,
    refuses: ['not_found'],
    operation: RotateKeyDocument,
    variables: ({ params, body, idempotencyKey }) => ({ keyId: params.id as string, ...body, idempotencyKey }),
    answer: ({ rotateKey: { key, secret } }) => ({ body: { ok: true, key: key && recordOf(key), secret } }),
  }),
  route({
    method: 'DELETE',
    path: '/api/keys/:id',
    access: admin,
    summary: 'Revoke a key',
    detail: 'At once, on all servers. Repeating it changes nothing.',
    refuses: ['not_found'],
    operation: RevokeKeyDocument,
    variables: ({ params }) => ({ keyId: params.id as string }),
    answer: ({ revokeKey }) => ({ body: { ok: true, key: recordOf(revokeKey) } }),
  }),
];
