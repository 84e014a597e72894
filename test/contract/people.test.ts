import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE_NAMES } from '../../src/base/core/roles.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { INVITATION_MS } from '../../src/domain/people/members/invitations.ts';
import { newMember, type TestMember } from '../support/members.ts';
import {
  newAccount,
  startTestServer,
  type TestAccount,
  type TestMerchant,
  type TestServer,
} from '../support/server.ts';

type Headers = Record<string, string>;

let server: TestServer;
let merchant: TestMerchant;
let owner: Headers;
let clockMs = 0;
beforeAll(async () => {
  server = await startTestServer({ clock: () => Date.now() + clockMs });
  merchant = await server.merchant();
  owner = await server.signIn(merchant.account);
});
afterAll(() => server.stop());

const walletOf = (account: TestAccount) => account.address.toLowerCase() as Wallet;

const send = (query: string, headers: Headers, variables: object = {}) =>
  server.call('POST', '/api/graphql', { headers, body: { query, variables } });
/** The data of an operation, or the extensions of its error. */
async function run(query: string, headers: Headers, variables: object = {}) {
  const { body } = await send(query, headers, variables);
  return body.errors ? body.errors[0].extensions : body.data;
}

const INVITE = `mutation($role: MemberRole!, $label: String) {
  inviteMember(role: $role, label: $label) { token url invitation { invitationId role label } } }`;
const ACCEPT = 'mutation($token: String!) { acceptInvitation(token: $token) { merchant name role current } }';
const OFFER = '($token: String!) { invitation(token: $token) { merchant name role label createdBy } }';
const ROLE =
  'mutation($wallet: Wallet!, $role: MemberRole!) { changeMemberRole(wallet: $wallet, role: $role) { role } }';
const REMOVE = 'mutation($wallet: Wallet!) { removeMember(wallet: $wallet) }';
const LEAVE = 'mutation { leaveMerchant }';
const SWITCH = 'mutation($merchant: Wallet!) { switchMerchant(merchant: $merchant) { merchant role csrfToken } }';

const invite = async (role = 'cashier', headers = owner) => (await run(INVITE, headers, { role })).inviteMember;

/** Sends `switchMerchant` and returns the headers of the new session. */
async function switched(headers: Headers, to: Wallet): Promise<Headers> {
  const { body, headers: answered } = await send(SWITCH, headers, { merchant: to });
  expect(body.errors).toBeUndefined();
  const cookie = answered
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return { cookie, 'x-csrf-token': body.data.switchMerchant.csrfToken };
}

describe('invitations', () => {
  test('a link shows what it offers, is accepted once, and makes its wallet a member', async () => {
    const { inviteMember: made } = await run(INVITE, owner, { role: 'bookkeeper', label: 'Ada' });
    expect(made.url).toBe(`${server.deps.settings.baseUrl}/console/join#${made.token}`);
    const stored = JSON.stringify(await server.deps.db.orm.em.fork().execute('select * from merchant_invitations'));
    expect(stored).not.toContain(made.token);
    expect((await run('{ invitations { label role createdBy } }', owner)).invitations[0]).toEqual({
      label: 'Ada',
      role: 'bookkeeper',
      createdBy: merchant.wallet,
    });

    const guest = newAccount();
    const session = await server.signIn(guest);
    expect(await run(`query${OFFER}`, session, made)).toEqual({
      invitation: {
        ...{ merchant: merchant.wallet, name: 'Test Shop', role: 'bookkeeper', label: 'Ada' },
        createdBy: merchant.wallet,
      },
    });
    const accepted = { merchant: merchant.wallet, name: 'Test Shop', role: 'bookkeeper', current: false };
    expect(await run(ACCEPT, session, made)).toEqual({ acceptInvitation: accepted });
    const late = await server.signIn(newAccount());
    expect(await run(ACCEPT, late, made)).toMatchObject({ code: 'not_found' });
    expect(await run(`query${OFFER}`, late, made)).toMatchObject({ code: 'not_found' });

    const inside = await switched(session, merchant.wallet);
    expect(await run('{ me { merchant role permissions } }', inside)).toMatchObject({
      me: { merchant: merchant.wallet, role: 'bookkeeper', permissions: expect.arrayContaining(['receipts_read']) },
    });
    expect(await run('{ memberships { merchant role current } }', inside)).toEqual({
      memberships: [{ merchant: merchant.wallet, role: 'bookkeeper', current: true }],
    });
    expect(await run('{ me { wallet } }', session)).toMatchObject({ code: 'unauthorized' });
    const { members } = await run('{ members { wallet role label addedBy self } }', owner);
    expect(members).toContainEqual({
      ...{ wallet: walletOf(guest), role: 'bookkeeper', label: 'Ada', addedBy: merchant.wallet },
      self: false,
    });
  });

  test('of concurrent attempts to accept an invitation one succeeds', async () => {
    const made = await invite();
    const guests = await Promise.all([1, 2, 3, 4].map(() => server.signIn(newAccount())));
    const answers = await Promise.all(guests.map((guest) => run(ACCEPT, guest, made)));
    expect(answers.filter((answer) => 'acceptInvitation' in answer)).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === 'not_found')).toHaveLength(3);
  });

  test('a member that accepts again is refused, and the invitation stays open', async () => {
    const { session } = await newMember(server, merchant.wallet, 'cashier');
    const made = await invite('manager');
    expect(await run(ACCEPT, session, made)).toMatchObject({ code: 'invalid_input' });
    expect(await run(ACCEPT, await server.signIn(newAccount()), made)).toHaveProperty('acceptInvitation');
  });

  test('an invitation that is revoked, expired or from an owner who was removed is not found', async () => {
    const guest = await server.signIn(newAccount());
    const revoked = await invite();
    const revoke = `mutation { revokeInvitation(invitationId: "${revoked.invitation.invitationId}") }`;
    expect(await run(revoke, owner)).toEqual({ revokeInvitation: true });
    expect(await run(revoke, owner)).toMatchObject({ code: 'not_found' });
    const other = await newMember(server, merchant.wallet, 'owner');
    const orphan = await invite('owner', other.session);
    expect(await run(REMOVE, owner, { wallet: other.wallet })).toEqual({ removeMember: true });
    for (const { token } of [revoked, orphan, { token: `qi_${'A'.repeat(43)}` }])
      expect(await run(ACCEPT, guest, { token })).toMatchObject({ code: 'not_found' });
    expect(await run(ACCEPT, guest, { token: 'short' })).toMatchObject({ code: 'invalid_input', field: 'token' });

    const old = await invite();
    await server.deps.db.orm.em
      .fork()
      .execute('update merchant_invitations set expires_at = expires_at - ? where id = ?', [
        INVITATION_MS,
        old.invitation.invitationId,
      ]);
    expect(await run(ACCEPT, guest, old)).toMatchObject({ code: 'not_found' });
  });

  test('only an owner invites, and an anonymous caller or a key sees no invitation', async () => {
    for (const role of ROLE_NAMES.filter((one) => one !== 'owner')) {
      const { session } = await newMember(server, merchant.wallet, role);
      expect(await run(INVITE, session, { role: 'cashier' })).toMatchObject({
        ...{ code: 'forbidden', reason: 'role_missing', permission: 'members', role: 'owner' },
      });
    }
    const made = await invite();
    expect(await run(`query${OFFER}`, {}, made)).toMatchObject({ code: 'unauthorized' });
    expect(await run(`query${OFFER}`, merchant.auth, made)).toMatchObject({ code: 'forbidden' });
  });
});

describe('members', () => {
  test('a new role counts from the next request on, also in another process', async () => {
    const { wallet, session } = await newMember(server, merchant.wallet, 'cashier');
    const config = '{ pricingConfig { id } inventory { totalCount } }';
    const second = await startTestServer({ databaseUrl: server.deps.settings.databaseUrl, env: secrets() });
    const elsewhere = () => second.call('POST', '/api/graphql', { headers: session, body: { query: config } });
    try {
      expect(await run(config, session)).toMatchObject({ code: 'forbidden' });
      expect((await elsewhere()).body.errors[0].extensions.code).toBe('forbidden');
      expect(await run(ROLE, owner, { wallet, role: 'manager' })).toEqual({ changeMemberRole: { role: 'manager' } });
      expect(await run(config, session)).toMatchObject({ inventory: { totalCount: 0 } });
      await expect.poll(async () => (await elsewhere()).body.data?.inventory?.totalCount).toBe(0);
      expect(await run(REMOVE, owner, { wallet })).toEqual({ removeMember: true });
      expect(await run(config, session)).toMatchObject({ reason: 'role_missing' });
      await expect.poll(async () => (await elsewhere()).body.errors?.[0].extensions.code).toBe('forbidden');
      expect(await run('{ me { merchant role permissions } }', session)).toEqual({
        me: { merchant: null, role: null, permissions: [] },
      });
    } finally {
      await second.stop();
    }
  });

  test('the streams of a member end when it is removed or has another role', async () => {
    for (const change of [
      (wallet: Wallet) => run(REMOVE, owner, { wallet }),
      (wallet: Wallet) => run(ROLE, owner, { wallet, role: 'cashier' }),
    ]) {
      const { wallet, session } = await newMember(server, merchant.wallet, 'manager');
      const stream = await fetch(`${server.url}/api/graphql`, {
        method: 'POST',
        headers: { ...session, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { receiptStatuses { seq } }' }),
      });
      expect(stream.status).toBe(200);
      const reading = stream.text().then(
        () => 'ended',
        () => 'ended',
      );
      await change(wallet);
      expect(await reading).toBe('ended');
    }
  });

  test('the last owner cannot leave, be removed or get another role', async () => {
    const shop = await server.merchant();
    const session = await server.signIn(shop.account);
    const { wallet } = shop;
    const lastOwner = { code: 'last_owner', http: { status: 409 } };
    expect(await run(LEAVE, session)).toMatchObject(lastOwner);
    expect(await run(REMOVE, session, { wallet })).toMatchObject(lastOwner);
    expect(await run(ROLE, session, { wallet, role: 'manager' })).toMatchObject(lastOwner);
    const second = await newMember(server, wallet, 'owner');
    expect(await run(LEAVE, session)).toEqual({ leaveMerchant: true });
    expect(await run(LEAVE, second.session)).toMatchObject(lastOwner);
    expect(await run('{ members { wallet role } }', second.session)).toEqual({
      members: [{ wallet: second.wallet, role: 'owner' }],
    });
  });

  test('of owners who leave, remove and downgrade each other at once, one remains', async () => {
    const shop = await server.merchant();
    const session = await server.signIn(shop.account);
    const others: TestMember[] = [];
    for (let n = 0; n < 3; n++) others.push(await newMember(server, shop.wallet, 'owner'));
    const [one, two, three] = others as [TestMember, TestMember, TestMember];
    await Promise.all([
      run(LEAVE, session),
      run(LEAVE, one.session),
      run(REMOVE, two.session, { wallet: three.wallet }),
      run(ROLE, three.session, { wallet: two.wallet, role: 'cashier' }),
      run(LEAVE, two.session),
      run(LEAVE, three.session),
    ]);
    const owners = await server.deps.db.orm.em
      .fork()
      .execute(`select wallet from merchant_members where merchant = ? and role = 'owner'`, [shop.wallet]);
    expect(owners).toHaveLength(1);
  });

  test('nothing of another merchant is seen or changed', async () => {
    const other = await server.merchant();
    const stranger = await server.signIn(other.account);
    const { wallet } = await newMember(server, merchant.wallet, 'cashier');
    expect(await run(REMOVE, stranger, { wallet })).toMatchObject({ code: 'not_found' });
    expect(await run(ROLE, stranger, { wallet, role: 'owner' })).toMatchObject({ code: 'not_found' });
    expect(await run(SWITCH, stranger, { merchant: merchant.wallet })).toMatchObject({ code: 'not_found' });
    expect((await run('{ members { wallet } }', stranger)).members).toEqual([{ wallet: other.wallet }]);
  });
});

describe('sessions', () => {
  test('a wallet signs in to its own merchant, else to the one that it joined first', async () => {
    const member = await newMember(server, merchant.wallet, 'manager');
    const other = await server.merchant();
    const { wallet } = member;
    await server.deps.db.orm.em
      .fork()
      .execute(`insert into merchant_members (merchant, wallet, role, created_at) values (?, ?, 'cashier', ?)`, [
        ...[other.wallet, wallet, Date.now() + 60_000],
      ]);
    expect(await run('{ me { merchant role } }', await server.signIn(member.account))).toEqual({
      me: { merchant: merchant.wallet, role: 'manager' },
    });
    const there = await switched(member.session, other.wallet);
    expect(await run('{ me { merchant role } }', there)).toEqual({ me: { merchant: other.wallet, role: 'cashier' } });
    expect(await run('{ memberships { merchant current } }', there)).toEqual({
      memberships: [
        { merchant: merchant.wallet, current: false },
        { merchant: other.wallet, current: true },
      ],
    });
  });

  test('a wallet sees where it is signed in, and ends one session or all', async () => {
    const account = newAccount();
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const first = await server.signIn(account);
    const here = await server.signIn(account);
    const third = await server.signIn(account);
    await server.deps.db.orm.em
      .fork()
      .execute('update sessions set user_agent = ? where wallet = ?', [agent, walletOf(account)]);
    const list = '{ sessions { nodes { sessionId current device address role createdAt lastUsedAt } } }';
    const sessions = (await run(list, here)).sessions.nodes;
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    const page = '{ sessions(first: 2) { nodes { sessionId } pageInfo { hasNextPage endCursor } } }';
    const first2 = (await run(page, here)).sessions;
    const after = `first: 2, after: "${first2.pageInfo.endCursor}"`;
    const rest = (await run(page.replace('first: 2', after), here)).sessions;
    expect([...first2.nodes, ...rest.nodes].map(({ sessionId }) => sessionId)).toEqual(
      sessions.map(({ sessionId }: { sessionId: string }) => sessionId),
    );
    expect([first2.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(sessions[0]).toMatchObject({ device: 'Firefox on Linux', address: '127.0.0.1', role: null });
    const oldest = sessions.at(-1).sessionId;
    const end = (id: string, headers: Headers) => run(`mutation { endSession(sessionId: "${id}") }`, headers);
    expect(await end(oldest, await server.signIn(newAccount()))).toMatchObject({ code: 'not_found' });
    expect(await end(oldest, here)).toEqual({ endSession: true });
    expect(await end(oldest, here)).toMatchObject({ code: 'not_found' });
    expect(await run('{ me { wallet } }', first)).toMatchObject({ code: 'unauthorized', reason: 'session_ended' });

    expect(await run('mutation { endAllSessions(exceptThis: true) }', here)).toEqual({ endAllSessions: 1 });
    expect(await run('{ me { wallet } }', third)).toMatchObject({ code: 'unauthorized' });
    const { headers, body } = await send('mutation { endAllSessions }', here);
    expect(body.data).toEqual({ endAllSessions: 1 });
    expect(headers.getSetCookie().join()).toMatch(/cb_auth_token=;.*Max-Age=0/);
    expect(await run('{ me { wallet } }', here)).toMatchObject({ code: 'unauthorized' });
  });

  test('a session becomes one other session, and none once it has ended', async () => {
    const { account, session } = await newMember(server, merchant.wallet, 'manager');
    const to = { merchant: merchant.wallet };
    const change = '(merchant: $merchant) { role }';
    const twice = `mutation($merchant: Wallet!) { one: switchMerchant${change} two: switchMerchant${change} }`;
    const { body } = await send(twice, session, to);
    expect(body.data).toEqual({ one: { role: 'manager' }, two: null });
    expect(body.errors[0].extensions).toMatchObject({ code: 'unauthorized', reason: 'session_ended' });
    const ended = `mutation($merchant: Wallet!) { endAllSessions switchMerchant${change} }`;
    const other = await server.signIn(account);
    expect((await send(ended, other, to)).body.data).toEqual({ endAllSessions: 2, switchMerchant: null });
  });

  test('of a session that becomes another one while all are ended, none is left', async () => {
    const { account } = await newMember(server, merchant.wallet, 'manager');
    const [here, stolen] = [await server.signIn(account), await server.signIn(account)];
    let current = stolen;
    const follow = async () => {
      for (;;) {
        const { body, headers } = await send(SWITCH, current, { merchant: merchant.wallet });
        if (body.errors) return body.errors[0].extensions;
        const cookie = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
        current = { cookie: cookie.join('; '), 'x-csrf-token': body.data.switchMerchant.csrfToken };
      }
    };
    const following = follow();
    await run('mutation { endAllSessions(exceptThis: true) }', here);
    expect(await following).toMatchObject({ code: 'unauthorized' });
    expect((await run('{ sessions { nodes { current } } }', here)).sessions.nodes).toEqual([{ current: true }]);
  });

  test('when a session was last used is written in batches', async () => {
    const session = await server.signIn(newAccount());
    const lastUsed = async () =>
      (await run('{ sessions { nodes { createdAt lastUsedAt } } }', session)).sessions.nodes[0];
    clockMs = 120_000;
    try {
      await expect
        .poll(
          async () => {
            const { createdAt, lastUsedAt } = await lastUsed();
            return lastUsedAt - createdAt;
          },
          { timeout: 60_000 },
        )
        .toBeGreaterThanOrEqual(119_000);
    } finally {
      clockMs = 0;
    }
  });
});

/** The settings that servers on one database share. */
const secrets = () => ({ JWT_SECRET: server.deps.settings.jwtSecret });
