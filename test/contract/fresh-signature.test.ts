import { afterAll, beforeAll, expect, test } from 'vitest';
import { newMember } from '../support/members.ts';
import { newAccount, startTestServer, type TestAccount, type TestServer } from '../support/server.ts';

type Headers = Record<string, string>;

let server: TestServer;
let clockMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + clockMs });
});
afterAll(() => server.stop());

/** The data of an operation, or the extensions of its error. */
async function run(query: string, headers: Headers, variables: object = {}) {
  const { body } = await server.call('POST', '/api/graphql', { headers, body: { query, variables } });
  return body.errors ? body.errors[0].extensions : body.data;
}

const CHALLENGE = 'mutation { confirmChallenge { nonce typedData } }';
const CONFIRM =
  'mutation($nonce: String!, $signature: Hex!) { confirmSession(nonce: $nonce, signature: $signature) { confirmedAt } }';
const sign = async (account: TestAccount, session: Headers) => {
  const { confirmChallenge } = await run(CHALLENGE, session);
  const signature = await account.signTypedData(confirmChallenge.typedData);
  return { nonce: confirmChallenge.nonce, signature, typedData: confirmChallenge.typedData };
};
const required = { code: 'forbidden', reason: 'signature_required' };

test('a signature opens what moves money or rights for five minutes, by the login or by a confirmation', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  const { wallet } = await newMember(server, shop.wallet, 'cashier');
  const writes: [string, object][] = [
    ['mutation($role: MemberRole!) { inviteMember(role: $role) { token } }', { role: 'cashier' }],
    [
      'mutation($wallet: Wallet!, $role: MemberRole!) { changeMemberRole(wallet: $wallet, role: $role) { role } }',
      { wallet, role: 'manager' },
    ],
    ['mutation { deploySplit(input: {}) { idempotent } }', {}],
    ['mutation { replaceSplit(input: {}) { address } }', {}],
    ['mutation($wallet: Wallet!) { removeMember(wallet: $wallet) }', { wallet }],
  ];
  clockMs = 5 * 60_000 + 30_000;
  try {
    for (const [query, variables] of writes) expect(await run(query, session, variables)).toMatchObject(required);
    const deploy = async () => (await server.call('POST', '/api/split/deploy', { headers: session, body: {} })).status;
    expect(await deploy()).toBe(403);

    const { typedData, ...signed } = await sign(shop.account, session);
    expect(typedData.primaryType).toBe('Confirmation');
    expect(typedData.message.statement).toMatch(/^Confirm at .* changing money or rights/);
    expect(await run(CONFIRM, session, signed)).toMatchObject({
      confirmSession: { confirmedAt: expect.any(Number) },
    });
    for (const [query, variables] of writes)
      expect((await run(query, session, variables)).reason ?? null, query).toBeNull();
    expect(await deploy()).toBe(200);
    expect(await run(CONFIRM, session, signed)).toMatchObject({ code: 'invalid_input', field: 'nonce' });
  } finally {
    clockMs = 0;
  }
});

test('a signature counts for its own session and purpose only', async () => {
  const account = newAccount();
  const [one, two] = [await server.signIn(account), await server.signIn(account)];
  const { typedData, ...signed } = await sign(account, one);
  expect(await run(CONFIRM, two, signed)).toMatchObject({ code: 'invalid_input' });
  expect(await run(CONFIRM, one, signed)).toMatchObject({ code: 'invalid_input' });

  const forged = await sign(newAccount(), one);
  expect(await run(CONFIRM, one, { nonce: forged.nonce, signature: forged.signature })).toMatchObject({
    code: 'invalid_signature',
  });
  const { body } = await server.call('POST', '/api/auth/nonce', { body: { wallet: account.address } });
  const login = await account.signTypedData(body.typedData);
  expect(await run(CONFIRM, one, { nonce: body.nonce, signature: login })).toMatchObject({ code: 'invalid_input' });
  const again = await sign(account, one);
  const wallet = account.address;
  const asLogin = { body: { wallet, nonce: again.nonce, signature: again.signature } };
  expect((await server.call('POST', '/api/auth/login', asLogin)).status).toBe(401);
});

test('a signature is asked for even if the caller names a route in its request', async () => {
  const shop = await server.merchant();
  const session = await server.signIn(shop.account);
  clockMs = 6 * 60_000;
  try {
    const forged = { ...session, route: '/api/split/deploy', 'x-route': '/api/split/deploy' };
    expect(await run('mutation { deploySplit(input: {}) { idempotent } }', forged)).toMatchObject(required);
  } finally {
    clockMs = 0;
  }
});
