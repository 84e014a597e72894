import fc from 'fast-check';
import { erc20Abi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { deploymentTransaction } from './create2.ts';
import { payFromTestWallet } from './local.ts';
import { localAccount } from './local-accounts.ts';
import { planSplitter } from './plan-splitter.ts';
import { createSender } from './sender.ts';
import {
  dueAt,
  isDeployed,
  owedFor,
  readReceived,
  readReleasable,
  readReleased,
  readSplitterShares,
  releaseTransaction,
} from './splitter.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';
import { testTokens } from './test-token.ts';

/** The n-th unused wallet. */
const wallet = (n: number): Wallet => toWallet(privateKeyToAddress(`0x${n.toString(16).padStart(64, '0')}`));

const recipients = [
  { address: wallet(1), sharesBps: 6667 },
  { address: wallet(2), sharesBps: 3283 },
  { address: wallet(3), sharesBps: 50 },
];

describe('planning', () => {
  test('an address does not depend on the order of the recipients', () => {
    const plan = planSplitter({ merchant: wallet(9), recipients });
    expect(planSplitter({ merchant: wallet(9), recipients: recipients.toReversed() })).toEqual(plan);
  });

  test('another merchant or other shares give another address', () => {
    const { address } = planSplitter({ merchant: wallet(9), recipients });
    const shifted = recipients.map(({ address, sharesBps }, i) => ({ address, sharesBps: sharesBps + [1, -1, 0][i]! }));
    expect(planSplitter({ merchant: wallet(8), recipients }).address).not.toBe(address);
    expect(planSplitter({ merchant: wallet(9), recipients: shifted }).address).not.toBe(address);
  });

  test('the address of a split never changes', () => {
    const merchant = `0x${'11'.repeat(20)}` as Wallet;
    const platform = `0x${'22'.repeat(20)}` as Wallet;
    const split = [
      { address: merchant, sharesBps: 9950 },
      { address: platform, sharesBps: 50 },
    ];
    expect(planSplitter({ merchant, recipients: split }).address).toMatchInlineSnapshot(
      `"0x308869ac51a669cc89e99cbb0df5a48d0a03cd5f"`,
    );
  });

  test('a duplicate recipient throws an assertion', () => {
    const twice = [...recipients, recipients[0]!];
    expect(() => planSplitter({ merchant: wallet(9), recipients: twice })).toThrow('each recipient only once');
  });
});

describe('dividing', () => {
  const payments = fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { maxLength: 40 });
  const shares = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 8 });

  test("a payee's parts of all payments add up to its part of the total, rounded down", () => {
    fc.assert(
      fc.property(payments, shares, (payments, shares) => {
        const totalShares = shares.reduce((sum, share) => sum + share, 0);
        for (const share of shares) {
          let received = 0n;
          let owed = 0n;
          for (const payment of payments) {
            owed += owedFor(received, received + payment, share, totalShares);
            received += payment;
          }
          expect(owed).toBe((received * BigInt(share)) / BigInt(totalShares));
        }
      }),
    );
  });

  test('the owed amounts never exceed the received total, and fall short by fewer base units than there are payees', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), shares, (received, shares) => {
        const totalShares = shares.reduce((sum, share) => sum + share, 0);
        const owed = shares.reduce((sum, share) => sum + dueAt(received, share, totalShares), 0n);
        expect(owed <= received && received - owed < BigInt(shares.length)).toBe(true);
      }),
    );
  });
});

describe('on the chain', () => {
  let local: TestChain;
  const usdc = testTokens[0]!.address;

  beforeAll(async () => {
    local = await startTestChain();
  });

  afterAll(() => local.stop());

  async function deploy(plan: ReturnType<typeof planSplitter>): Promise<void> {
    const sender = createSender(local.chain, localAccount('settlement').privateKey);
    const { hash } = await sender.send(deploymentTransaction(plan));
    expect(await sender.waitFor(hash!)).toBe('success');
  }

  test('a split that was paid before its deployment has the computed address, and releases exactly by shares', async () => {
    const { chain } = local;
    const split = planSplitter({ merchant: wallet(10), recipients });
    const payees = recipients.map(({ address }) => address);
    const sender = createSender(chain, localAccount('settlement').privateKey);

    await payFromTestWallet(chain, { token: 'USDC', to: split.address, amount: 111_690_001n });
    expect(await isDeployed(chain, split.address)).toBe(false);
    expect(await readReceived(chain, split.address, usdc)).toBe(111_690_001n);
    expect([...(await readReleased(chain, split.address, usdc, payees)).values()]).toEqual([0n, 0n, 0n]);
    const promised = await readReleasable(chain, split.address, usdc, recipients);
    expect([...promised.values()]).toEqual([74_463_723n, 36_667_827n, 558_450n]);

    await deploy(split);
    expect(await isDeployed(chain, split.address)).toBe(true);
    for (const payee of payees) {
      const { hash } = await sender.send(releaseTransaction(split.address, usdc, payee));
      expect(await sender.waitFor(hash!)).toBe('success');
      const balance = await chain.client.readContract({
        abi: erc20Abi,
        address: toAddress(usdc),
        functionName: 'balanceOf',
        args: [toAddress(payee)],
      });
      expect(balance).toBe(promised.get(payee));
    }
    expect(await readReleased(chain, split.address, usdc, payees)).toEqual(promised);
    expect(await readReceived(chain, split.address, usdc)).toBe(111_690_001n);
  });

  test('native coins are released by the same shares, and a fraction is part of the next payment', async () => {
    const { chain } = local;
    const split = planSplitter({ merchant: wallet(11), recipients });
    const payees = recipients.map(({ address }) => address);
    const sender = createSender(chain, localAccount('settlement').privateKey);
    await deploy(split);

    for (const total of [7n, 7n + 10n ** 18n + 1n]) {
      const received = await readReceived(chain, split.address, null);
      const hash = await payFromTestWallet(chain, { token: 'ETH', to: split.address, amount: total - received });
      await sender.waitFor(hash);
      for (const payee of payees) {
        const { hash } = await sender.send(releaseTransaction(split.address, null, payee));
        if (hash) await sender.waitFor(hash);
      }
      const due = recipients.map(({ sharesBps }) => (total * BigInt(sharesBps)) / 10_000n);
      expect([...(await readReleased(chain, split.address, null, payees)).values()]).toEqual(due);
      expect([...(await readReleasable(chain, split.address, null, recipients)).values()]).toEqual([0n, 0n, 0n]);
    }
  });

  test('released amounts can be read at an earlier block', async () => {
    const { chain } = local;
    const split = planSplitter({ merchant: wallet(12), recipients });
    const sender = createSender(chain, localAccount('settlement').privateKey);
    await payFromTestWallet(chain, { token: 'USDC', to: split.address, amount: 10_000n });
    await deploy(split);
    const before = await chain.client.getBlockNumber();
    const { hash } = await sender.send(releaseTransaction(split.address, usdc, wallet(1)));
    await sender.waitFor(hash!);

    expect([...(await readReleased(chain, split.address, usdc, [wallet(1)], before)).values()]).toEqual([0n]);
    expect([...(await readReleased(chain, split.address, usdc, [wallet(1)])).values()]).toEqual([6667n]);
    expect((await readReleasable(chain, split.address, usdc, recipients, before)).get(wallet(1))).toBe(6667n);
  });

  test('an empty release and a second deployment are returned as results and not thrown', async () => {
    const { chain } = local;
    const split = planSplitter({ merchant: wallet(13), recipients });
    const sender = createSender(chain, localAccount('settlement').privateKey);
    await deploy(split);
    expect(await sender.send(releaseTransaction(split.address, null, wallet(1)))).toEqual({
      hash: null,
      revertReason: expect.stringContaining('account is not due payment'),
    });
    expect(await sender.send(deploymentTransaction(split))).toMatchObject({ hash: null });
  });

  describe('verifying a given contract', () => {
    const split = planSplitter({ merchant: wallet(14), recipients });

    test('an address without a contract is reported', async () => {
      expect(await readSplitterShares(local.chain, split.address, recipients)).toMatch(/no contract/);
    });

    test('the known splitter with the same shares is accepted', async () => {
      await deploy(split);
      expect(await readSplitterShares(local.chain, split.address, recipients.toReversed())).toBeNull();
    });

    test('other code is reported, whatever it answers', async () => {
      expect(await readSplitterShares(local.chain, usdc, recipients)).toMatch(/not a known PaymentSplitter/);
    });

    test('other shares are reported', async () => {
      const [first, second, third] = recipients.map((recipient) => ({ ...recipient }));
      const swapped = [{ ...first!, sharesBps: 6666 }, { ...second!, sharesBps: 3284 }, third!];
      expect(await readSplitterShares(local.chain, split.address, swapped)).toMatch(/holds 6667 shares .* not 6666/);
    });

    test('an omitted recipient is reported', async () => {
      expect(await readSplitterShares(local.chain, split.address, recipients.slice(1))).toMatch(
        /has 10000 shares, but the given recipients hold 3333/,
      );
    });
  });
});
