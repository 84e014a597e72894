import { graphql } from 'graphql';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { ANONYMOUS, type Caller } from '../../../base/core/caller.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { schema } from '../../../doors/http/server/schema.ts';
import { findKey } from '../keys/find.ts';
import { issueKey } from '../keys/issue.ts';
import { SHOP, type TestDeps, testDeps } from '../keys/test/deps.ts';
import { identify } from './authenticate.ts';

/** Runs an operation for a caller; returns the result and the cookies set. */
async function ask(deps: TestDeps, caller: Caller, source: string, variableValues: Record<string, unknown> = {}) {
  const cookies: string[] = [];
  const contextValue = {
    ...deps,
    caller,
    request: { host: 'pay.test', correlationId: 'c', setCookie: (cookie: string) => cookies.push(cookie) },
  } as unknown as Context;
  const result = await graphql({ schema, source, contextValue, variableValues });
  const refused = result.errors?.[0]?.originalError as { code?: string; message?: string } | undefined;
  return { data: result.data as Record<string, unknown> | null | undefined, refused, cookies };
}

const LOGIN = `mutation ($wallet: Wallet!, $nonce: String!, $signature: Hex!) {
  login(wallet: $wallet, nonce: $nonce, signature: $signature) { wallet roles merchant csrfToken }
}`;

test('a wallet signs in, reads its session and signs out over GraphQL', async () => {
  const deps = await testDeps();
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address;
  const challenge = await ask(
    deps,
    ANONYMOUS,
    'mutation ($wallet: Wallet!) { loginChallenge(wallet: $wallet) { nonce expiresAt typedData } }',
    { wallet },
  );
  const { nonce, typedData } = challenge.data!.loginChallenge as { nonce: string; typedData: never };
  const signature = await account.signTypedData(typedData);
  const signedIn = await ask(deps, ANONYMOUS, LOGIN, { wallet, nonce, signature });
  expect(signedIn.refused).toBeUndefined();
  const answer = signedIn.data!.login as { csrfToken: string };
  expect(answer).toMatchObject({ wallet: wallet.toLowerCase(), roles: ['user'], merchant: null });

  const cookie = signedIn.cookies.map((set) => set.split(';')[0]).join('; ');
  const as = (headers: Record<string, string>) =>
    identify(deps, {
      method: 'POST',
      host: 'pay.test',
      path: '/api/graphql',
      address: '127.0.0.1',
      headers: { cookie, ...headers },
    });
  const me = await ask(deps, await as({}), '{ me { wallet roles merchant csrfToken } }');
  expect(me.data!.me).toEqual(answer);

  const unproven = await ask(deps, await as({}), 'mutation { logout }');
  expect(unproven.refused).toMatchObject({ code: 'forbidden' });
  const out = await ask(deps, await as({ 'x-csrf-token': answer.csrfToken }), 'mutation { logout }');
  expect(out.data).toEqual({ logout: true });
  expect(out.cookies).toHaveLength(2);
  await expect(as({})).rejects.toMatchObject({ code: 'unauthorized' });
});

test('a caller without a session gets the contract’s message, and a key is not a session', async () => {
  const deps = await testDeps();
  for (const source of ['{ me { wallet } }', 'mutation { logout }']) {
    const anonymous = await ask(deps, ANONYMOUS, source);
    expect(anonymous.refused).toMatchObject({ code: 'unauthorized', message: 'JWT authentication failed' });
    const { key } = await issueKey(deps, { merchant: SHOP, scopes: ['graphql:read'] });
    expect(
      (await ask(deps, await findKey(deps.db, deps.clock(), key, { address: '127.0.0.1', origin: undefined }), source))
        .refused,
    ).toMatchObject({ code: 'forbidden' });
  }
});
