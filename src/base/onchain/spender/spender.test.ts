import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { defaultSpendPermissionManager } from '../../chain/spend-permissions.ts';
import type { Wallet } from '../../core/wallet.ts';
import { findSpender } from './spender.ts';

test('each chain has the manager that is configured for it, else the known one', () => {
  const [first, second] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as Wallet[];
  const settings = {
    chainId: 8453,
    spendPermissionManager: first!,
    furtherChains: [
      { chainId: 100, spendPermissionManager: second! },
      { chainId: 10, spendPermissionManager: null },
      { chainId: 43_114, spendPermissionManager: null },
    ],
    spenderPrivateKey: `0x${'1'.repeat(64)}` as const,
  };
  const managerOn = (chainId: number) => findSpender({ settings, chain: { chainId } })?.manager ?? null;
  expect([8453, 100, 10, 43_114].map(managerOn)).toEqual([first, second, defaultSpendPermissionManager(10), null]);
  const spenders = [8453, 100, 10].map((chainId) => findSpender({ settings, chain: { chainId } })?.spender);
  expect(new Set(spenders).size).toBe(3);
});

test('a server that knows only the address of the key offers the same plans as one with the key', () => {
  const spenderPrivateKey = generatePrivateKey();
  const settings = { chainId: 8453, spendPermissionManager: null, furtherChains: [] };
  const chain = { chainId: 8453 };
  const withKey = findSpender({ settings: { ...settings, spenderPrivateKey }, chain });
  const spenderAddress = privateKeyToAddress(spenderPrivateKey).toLowerCase() as Wallet;
  const without = findSpender({ settings: { ...settings, spenderPrivateKey: null, spenderAddress }, chain });
  expect(without).toEqual(withKey);
  expect(withKey).not.toBeNull();
});
