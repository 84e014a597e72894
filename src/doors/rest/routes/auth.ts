import { loginBody, nonceBody } from '../bodies.ts';
import { LoginChallengeDocument, LoginDocument, LogoutDocument, MeDocument } from '../generated/graphql.ts';
import { open, type Route, route, signedIn } from '../route.ts';

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
