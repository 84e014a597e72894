import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createChain } from '../../../base/chain/client.ts';
import { addressOf, deploymentTransaction } from '../../../base/chain/create2.ts';
import { prepareLocalChain } from '../../../base/chain/local.ts';
import { localAccount } from '../../../base/chain/local-accounts.ts';
import { planSplitter } from '../../../base/chain/plan-splitter.ts';
import { createSender } from '../../../base/chain/sender.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { findMerchant } from '../merchants/find.ts';
import { merchantDeps, PLATFORM, type TestDeps, walletOf } from '../merchants/test/deps.ts';
import { configureSplit as configure, replaceSplit as replace, type SplitDeps } from './configure.ts';
import { NO_SPLIT, readSplit } from './read.ts';
import { SplitSchema } from './split.entity.ts';
import { parseSplitInput } from './split.input.ts';

const configureSplit = async (deps: SplitDeps, merchant: Wallet, body: unknown) =>
  configure(deps, merchant, parseSplitInput(body));
const replaceSplit = async (deps: SplitDeps, merchant: Wallet, body: unknown) =>
  replace(deps, merchant, parseSplitInput(body));

const deps = merchantDeps();
const rowsOf = (merchant: Wallet) =>
  deps.db.orm.em.fork().find(SplitSchema, { merchant }, { orderBy: { createdAt: 1 } });

const invalid = (message: RegExp) =>
  expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) });

/** A node that does not respond. */
function withoutChain(): TestDeps {
  const chain = createChain({ ...deps.settings, rpcUrl: 'http://127.0.0.1:9', confirmations: 0 });
  return { ...deps, chain };
}

describe('configuring a split', () => {
  it('has no address at first', async () => {
    const a = await deps.merchant();
    expect(await readSplit(deps.db, deps.settings, a)).toEqual(NO_SPLIT);
    expect(NO_SPLIT).toMatchObject({ address: null, recipients: [] });
  });

  it('gives 9950 to the merchant and 50 to the platform by default', async () => {
    const a = await deps.merchant();
    const recipients = [
      { address: a, sharesBps: 9950 },
      { address: PLATFORM, sharesBps: 50 },
    ];
    const { split, idempotent } = await configureSplit(deps, a, {});
    expect(idempotent).toBe(false);
    const { address, salt, initCode } = planSplitter({ merchant: a, recipients });
    expect(split).toEqual({ address, recipients, verified: true, deployed: false, createdAt: deps.now.ms });
    expect(await readSplit(deps.db, deps.settings, a)).toEqual(split);
    expect(await rowsOf(a)).toMatchObject([{ salt, initCode, chainId: deps.settings.chainId, replacedAt: null }]);
    expect((await findMerchant(deps.db, a))!.version).toBe(2);
  });

  it('adds the platform if the others add up to 9950, and accepts it if it is listed', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const shares = (...bps: [Wallet, number][]) => bps.map(([address, sharesBps]) => ({ address, sharesBps }));
    const first = await configureSplit(deps, a, { recipients: shares([a, 9000], [walletOf('1'), 950]) });
    expect(first.split.recipients).toEqual(shares([a, 9000], [walletOf('1'), 950], [PLATFORM, 50]));
    const second = await configureSplit(deps, b, { recipients: shares([b, 9000], [PLATFORM, 1000]) });
    expect(second.split.recipients).toEqual(shares([b, 9000], [PLATFORM, 1000]));
  });

  it('returns the existing split on a second call, even with a different body, and changes nothing', async () => {
    const a = await deps.merchant();
    const { split } = await configureSplit(deps, a, {});
    const other = { recipients: [{ address: walletOf('1'), sharesBps: 9950 }], splitAddress: walletOf('2') };
    expect(await configureSplit(deps, a, other)).toEqual({ split, idempotent: true });
    expect(await configureSplit(withoutChain(), a, other)).toEqual({ split, idempotent: true });
    expect((await findMerchant(deps.db, a))!.version).toBe(2);
    expect(await rowsOf(a)).toHaveLength(1);
  });

  it('creates one split for many concurrent calls', async () => {
    const a = await deps.merchant();
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        configureSplit(deps, a, {
          recipients: [{ address: walletOf(String(i + 1).slice(-1)), sharesBps: 9950 }].filter(() => i > 0 && i < 9),
        }),
      ),
    );
    expect(outcomes.filter(({ idempotent }) => !idempotent)).toHaveLength(1);
    expect(new Set(outcomes.map(({ split }) => split.address)).size).toBe(1);
    expect(await rowsOf(a)).toHaveLength(1);
  });

  it.each([
    [{ recipients: [{ address: walletOf('1'), sharesBps: 10_000 }] }, /9950/],
    [{ recipients: [{ address: walletOf('1'), sharesBps: 9_000 }] }, /9950/],
    [
      {
        recipients: [
          { address: PLATFORM, sharesBps: 49 },
          { address: walletOf('1'), sharesBps: 9951 },
        ],
      },
      /at least 50/,
    ],
    [{ recipients: [{ address: walletOf('1'), sharesBps: 0 }] }, /^recipients\[0\]\.sharesBps /],
    [{ recipients: [{ address: walletOf('1'), sharesBps: 1.5 }] }, /^recipients\[0\]\.sharesBps /],
    [{ recipients: [{ address: walletOf('1'), sharesBps: '9950' }] }, /^recipients\[0\]\.sharesBps /],
    [{ recipients: [{ address: walletOf('1'), sharesBps: JSON.parse('1e400') }] }, /^recipients\[0\]\.sharesBps /],
    [{ recipients: [{ address: walletOf('1') }] }, /^recipients\[0\]\.sharesBps /],
    [{ recipients: [{ sharesBps: 9950 }] }, /^recipients\[0\]\.address /],
    [{ recipients: [{ address: '0x12', sharesBps: 9950 }] }, /^recipients\[0\]\.address /],
    [{ recipients: [{ address: walletOf('0'), sharesBps: 9950 }] }, /^recipients\[0\]\.address /],
    [
      {
        recipients: [
          { address: `0x${'aA'.repeat(20)}`, sharesBps: 50 },
          { address: `0x${'Aa'.repeat(20)}`, sharesBps: 9900 },
        ],
      },
      /^recipients\[1\]\.address /,
    ],
    [{ recipients: 'all' }, /^recipients /],
    [{ splitAddress: 'x' }, /^splitAddress /],
    [{ splitAddress: walletOf('0') }, /^splitAddress /],
    ['text', /body/],
  ])('refuses %j', async (body, message) => {
    const a = await deps.merchant();
    await expect(configureSplit(deps, a, body)).rejects.toEqual(invalid(message));
    expect(await rowsOf(a)).toEqual([]);
  });

  it('refuses if the platform has no recipient, and refuses a wallet that is not the merchant’s', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    const unset = deps.with({ platformRecipient: null });
    await expect(configureSplit(unset, a, {})).rejects.toMatchObject({ code: 'platform_recipient_not_configured' });
    await expect(configureSplit(deps, a, { wallet: b })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('needs no chain for an address of its own: the head is then the watcher’s last, or 0', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    await configureSplit(withoutChain(), a, {});
    expect((await rowsOf(a))[0]!.createdBlock).toBe(0);
    const { chainId } = deps.settings;
    await deps.db.orm.em.execute('insert into chain_cursors values (?, 42, 42, 40, ?)', [
      chainId,
      deps.now.ms - 3_600_000,
    ]);
    await configureSplit(withoutChain(), b, {});
    expect((await rowsOf(b))[0]!.createdBlock).toBe(42);
    await deps.db.orm.em.execute('delete from chain_cursors');
  });

  it('does not wait for a hanging node', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const chain = createChain({ ...deps.settings, rpcUrl, confirmations: 0 });
      const a = await deps.merchant();
      expect((await configureSplit({ ...deps, chain }, a, {})).split.address).toMatch(/^0x/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('an address given by the merchant', () => {
  it('is accepted under lenient verification, and stays unverified', async () => {
    const a = await deps.merchant();
    const { split } = await configureSplit(withoutChain(), a, { splitAddress: `0x${'C1'.repeat(20)}` });
    expect(split).toMatchObject({ address: `0x${'c1'.repeat(20)}`, verified: false, deployed: false });
    expect(await rowsOf(a)).toMatchObject([{ salt: null, initCode: null }]);
  });

  it('is verified if it is the address of our own splitter for these recipients', async () => {
    const a = await deps.merchant();
    const recipients = [
      { address: PLATFORM, sharesBps: 50 },
      { address: a, sharesBps: 9950 },
    ];
    const splitAddress = planSplitter({ merchant: a, recipients }).address;
    expect((await configureSplit(withoutChain(), a, { splitAddress })).split).toMatchObject({ verified: true });
  });

  it('belongs to one merchant, also when two give it at the same time', async () => {
    const [a, b, c] = [await deps.merchant(), await deps.merchant(), await deps.merchant()];
    const splitAddress = `0x${'c2'.repeat(20)}`;
    const outcomes = await Promise.allSettled(
      [a, b].map((merchant) => configureSplit(deps, merchant, { splitAddress })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(configureSplit(deps, c, { splitAddress })).rejects.toEqual(invalid(/another merchant/));
    expect(await readSplit(deps.db, deps.settings, c)).toEqual(NO_SPLIT);
    expect((await findMerchant(deps.db, c))!.version).toBe(1);
  });

  it('that another merchant claimed first does not prevent the owner from having a split', async () => {
    const [a, squatter] = [await deps.merchant(), await deps.merchant()];
    const recipients = [
      { address: a, sharesBps: 9950 },
      { address: PLATFORM, sharesBps: 50 },
    ];
    const { address } = planSplitter({ merchant: a, recipients });
    const taken = await configureSplit(deps, squatter, { splitAddress: address });
    await expect(configureSplit(deps, a, { splitAddress: address })).rejects.toEqual(invalid(/another merchant/));
    const { split } = await configureSplit(deps, a, {});
    expect(split).toMatchObject({ recipients, verified: true });
    expect(split.address).not.toBe(address);
    // It is a splitter of ours too: salt and init code produce it.
    const [row] = await rowsOf(a);
    expect(addressOf(row!.initCode!, row!.salt!)).toBe(split.address);
    expect(await replaceSplit(deps, a, {})).toEqual(split);
    // It stays ours if it is given explicitly after it was replaced.
    await replaceSplit(deps, a, { recipients: [{ address: PLATFORM, sharesBps: 10_000 }] });
    expect(await replaceSplit(deps, a, { splitAddress: split.address })).toEqual(split);
    expect((await rowsOf(a)).find((one) => one.address === split.address)).toEqual({
      ...row,
      txid: expect.any(String),
    });
    expect(await readSplit(deps.db, deps.settings, squatter)).toEqual(taken.split);
  });

  it('must hold a known splitter with these shares under strict verification', async () => {
    const strict = deps.with({ splitVerification: 'strict' });
    await prepareLocalChain(deps.settings.rpcUrl);
    const [a, other] = [await deps.merchant(), await deps.merchant()];
    const recipients = [
      { address: a, sharesBps: 9000 },
      { address: PLATFORM, sharesBps: 1000 },
    ];
    // Another merchant's splitter with the same shares, at an address that we would not compute for this merchant.
    const plan = planSplitter({ merchant: other, recipients });
    await expect(configureSplit(strict, a, { splitAddress: plan.address, recipients })).rejects.toEqual(
      invalid(/^splitAddress: There is no contract/),
    );
    const sender = createSender(strict.chain, localAccount('deployer').privateKey);
    const { hash } = await sender.send(deploymentTransaction(plan));
    await sender.waitFor(hash!);
    await expect(configureSplit(strict, a, { splitAddress: plan.address })).rejects.toEqual(invalid(/shares/));
    const usdc = deps.settings.tokens[0]!.address!;
    await expect(configureSplit(strict, a, { splitAddress: usdc, recipients })).rejects.toEqual(invalid(/not a known/));
    const unreachable = { ...withoutChain(), settings: strict.settings };
    await expect(configureSplit(unreachable, a, { splitAddress: plan.address, recipients })).rejects.toMatchObject({
      code: 'chain_unavailable',
    });
    const { split } = await configureSplit(strict, a, { splitAddress: plan.address, recipients });
    expect(split).toMatchObject({ address: plan.address, recipients, verified: true });
    expect((await rowsOf(a))[0]!.createdBlock).toBeGreaterThan(0);
  });
});

describe('replacing a split', () => {
  const halves = (a: Wallet) => ({
    recipients: [
      { address: a, sharesBps: 5000 },
      { address: walletOf('1'), sharesBps: 4950 },
    ],
  });

  it('replaces the split and keeps the former one on record', async () => {
    const a = await deps.merchant();
    const { split: first } = await configureSplit(deps, a, {});
    deps.now.ms += 1000;
    const second = await replaceSplit(deps, a, halves(a));
    expect(second.address).not.toBe(first.address);
    expect(await readSplit(deps.db, deps.settings, a)).toEqual(second);
    expect(await rowsOf(a)).toMatchObject([
      { address: first.address, replacedAt: deps.now.ms },
      { address: second.address, replacedAt: null },
    ]);
    expect((await findMerchant(deps.db, a))!.version).toBe(3);
  });

  it('reactivates a former split of the merchant', async () => {
    const a = await deps.merchant();
    const { split: first } = await configureSplit(deps, a, {});
    await replaceSplit(deps, a, halves(a));
    expect(await replaceSplit(deps, a, {})).toEqual(first);
    expect((await rowsOf(a)).filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
    expect(await rowsOf(a)).toHaveLength(2);
  });

  it('changes nothing if the same split is given, in any order', async () => {
    const a = await deps.merchant();
    await configureSplit(deps, a, halves(a));
    const before = await rowsOf(a);
    await replaceSplit(deps, a, { recipients: halves(a).recipients.toReversed() });
    expect(await rowsOf(a)).toEqual(before);
  });

  it('configures the first split if there is none, and refuses the same input as configuring', async () => {
    const [a, b] = [await deps.merchant(), await deps.merchant()];
    expect((await replaceSplit(deps, a, {})).address).toMatch(/^0x/);
    await expect(replaceSplit(deps, a, { recipients: [{ address: a, sharesBps: 1 }] })).rejects.toEqual(
      invalid(/9950/),
    );
    const { address } = await readSplit(deps.db, deps.settings, a);
    await expect(replaceSplit(deps, b, { splitAddress: address })).rejects.toEqual(invalid(/another merchant/));
    expect(await readSplit(deps.db, deps.settings, b)).toEqual(NO_SPLIT);
  });

  it('refuses other shares for an address whose shares are fixed', async () => {
    const a = await deps.merchant();
    const { split } = await configureSplit(deps, a, {});
    await expect(replaceSplit(deps, a, { splitAddress: split.address, ...halves(a) })).rejects.toEqual(
      invalid(/^recipients /),
    );
    expect(await readSplit(deps.db, deps.settings, a)).toEqual(split);
  });
});
