import { z } from 'zod';
import { identifier, wallet } from '../../../base/core/text.ts';
import { LoginChallengeDocument, LoginDocument, LogoutDocument, MeDocument } from '../generated/graphql.ts';
import { readsBody } from './reader.ts';
import { open, type Route, route, signedIn } from './route.ts';

const hex = z
  .string({ error: 'must be 0x followed by hex digits' })
  .regex(/^0x[0-9a-fA-F]*$/, { error: 'must be 0x followed by hex digits' });

/** The body of `POST /api/auth/nonce`. */
const nonceBody = readsBody(z.object({ wallet }), (checked) => checked);

/** The body of `POST /api/auth/login`. */
const loginBody = readsBody(z.object({ wallet, nonce: identifier, signature: hex }), (checked) => checked);

/** Sessions. */
export const authRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/nonce',
    access: open,
    summary: 'Request a login challenge',
    detail: 'Returns the typed data that a wallet signs to log in.',
    body: nonceBody,
    refuses: ['invalid_wallet'],
    operation: LoginChallengeDocument,
    variables: ({ body }) => body,
    answer: ({ loginChallenge }) => ({ body: { ok: true, ...loginChallenge } }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/login',
    access: open,
    summary: 'Log in',
    detail: 'Opens a session for the wallet that signed the challenge.',
    body: loginBody,
    setsCookies: true,
    refuses: ['invalid_wallet', 'chain_unavailable'],
    operation: LoginDocument,
    variables: ({ body }) => body,
    answer: ({ login }) => ({ body: { ok: true, ...login } }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/logout',
    access: signedIn,
    summary: 'Log out',
    setsCookies: true,
    refuses: [],
    operation: LogoutDocument,
    variables: () => ({}),
    answer: () => ({ body: { ok: true } }),
  }),
  route({
    method: 'GET',
    path: '/api/auth/me',
    access: signedIn,
    summary: 'Read the session',
    refuses: [],
    operation: MeDocument,
    variables: () => ({}),
    answer: ({ me }) => ({ body: { ok: true, ...me } }),
  }),
];
