import { domainSeparator, hashStruct, keccak256, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import {
  defaultSpendPermissionManager,
  hashSpendPermission,
  localManager,
  SPEND_PERMISSION_TYPES,
  type SpendPermission,
  spendPermissionDomain,
  spendPermissionManagerAbi,
  toMessage,
} from './spend-permissions.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

const TYPE_HASH = '0xc9fa0f0252014cf89ab0539e3bb3adcb76f93e6bb6494e8cc61c14e2761ee2e4';
const BASE_SEPARATOR = '0x3187a50f7c68cc46a370ce9830bcd5da649e5f41d60dd75ba256ced435601516';
const BASE_MANAGER = '0xf85210b21cc50302f477ba56686d2019dc9b67ad' as Wallet;

const wallet = (digits: string) => `0x${digits.repeat(20)}` as Wallet;
const permission: SpendPermission = {
  account: wallet('a1'),
  spender: wallet('b2'),
  token: wallet('c3'),
  allowance: String(2n ** 160n - 1n),
  period: 604_800,
  start: 1_763_640_000,
  end: 281_474_976_710_655,
  salt: String(2n ** 256n - 1n),
  extraData: '0x1234',
};

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.stop());

const contract = { abi: spendPermissionManagerAbi, address: toAddress(localManager.address) } as const;

test("the local manager uses Coinbase's type", async () => {
  const fields = SPEND_PERMISSION_TYPES.SpendPermission.map(({ type, name }) => `${type} ${name}`);
  expect(keccak256(toHex(`SpendPermission(${fields.join(',')})`))).toBe(TYPE_HASH);
  const abi = parseAbi(['function SPEND_PERMISSION_TYPEHASH() view returns (bytes32)']);
  expect(await local.chain.client.readContract({ ...contract, abi, functionName: 'SPEND_PERMISSION_TYPEHASH' })).toBe(
    TYPE_HASH,
  );
});

test("on Base the domain is that of Coinbase's contract", () => {
  const domain = spendPermissionDomain(8453, BASE_MANAGER);
  expect(domainSeparator({ domain })).toBe(BASE_SEPARATOR);
  for (const chainId of [1, 8453, 84532]) expect(defaultSpendPermissionManager(chainId)).toBe(BASE_MANAGER);
  expect(defaultSpendPermissionManager(4242)).toBeNull();
});

test('the local manager computes the same hash of a permission', async () => {
  const { client } = local.chain;
  const hash = await client.readContract({ ...contract, functionName: 'getHash', args: [toMessage(permission)] });
  expect(hash).toBe(hashSpendPermission(31337, localManager.address, permission));
  expect(
    hashStruct({ types: SPEND_PERMISSION_TYPES, primaryType: 'SpendPermission', data: toMessage(permission) }),
  ).not.toBe(hash);
  const abi = parseAbi([
    'function eip712Domain() view returns (bytes1, string, string, uint256, address, bytes32, uint256[])',
  ]);
  const [, name, version, chainId, verifyingContract] = await client.readContract({
    ...contract,
    abi,
    functionName: 'eip712Domain',
  });
  expect({ name, version, chainId: Number(chainId), verifyingContract }).toEqual(
    spendPermissionDomain(31337, localManager.address),
  );
});

test('a permission without approval is neither approved, nor valid, nor revoked', async () => {
  const { client } = local.chain;
  for (const functionName of ['isApproved', 'isValid', 'isRevoked'] as const) {
    expect(await client.readContract({ ...contract, functionName, args: [toMessage(permission)] })).toBe(false);
  }
});
