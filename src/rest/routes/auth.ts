import { loginBody, nonceBody } from '../bodies.ts';
import { LoginChallengeDocument, LoginDocument, LogoutDocument, MeDocument } from '../generated/graphql.ts';
import { open, type Route, route, signedIn } from '../route.ts';

/** Sessions. */
export const authRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/nonce',
    access: open,
    rate: 'others',
    summary: 'The typed data that a wallet signs to log in',
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
    rate: 'others',
    summary: 'Opens a session for the wallet that signed',
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
    rate: 'others',
    summary: 'Ends the session',
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
    rate: 'reads',
    summary: 'Who is signed in',
    refuses: [],
    operation: MeDocument,
    variables: () => ({}),
    answer: ({ me }) => ({ body: { ok: true, ...me } }),
  }),
];
