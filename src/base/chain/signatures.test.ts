import {
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  serializeErc6492Signature,
  zeroHash,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import { type Chain, createChain } from './client.ts';
import accountArtifact from './contracts/smart-account.json' with { type: 'json' };
import factoryArtifact from './contracts/smart-account-factory.json' with { type: 'json' };
import { addressOf, deploymentTransaction } from './create2.ts';
import { localAccount } from './local-accounts.ts';
import { createSender } from './sender.ts';
import { verifyTypedSignature } from './signatures.ts';
import { startTestChain, type TestChain } from './test/anvil.ts';

const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

const typedData = {
  domain: { name: 'Quittance', version: '1', chainId: 31337 },
  types: {
    Login: [
      { name: 'wallet', type: 'address' },
      { name: 'nonce', type: 'string' },
    ],
  },
  primaryType: 'Login',
  message: { wallet: owner.address, nonce: 'abc' },
} as const;

const factoryAbi = parseAbi(['function create(address owner) returns (address)']);
const factoryCode = factoryArtifact.bytecode as Hex;
const factory = addressOf(factoryCode, zeroHash);

/** The owner's account at the factory, whether deployed or not. */
function accountOf(owner: Hex): Wallet {
  const bytecode = encodeDeployData({
    abi: parseAbi(['constructor(address owner)']),
    bytecode: accountArtifact.bytecode as Hex,
    args: [owner],
  });
  return toWallet(getContractAddress({ opcode: 'CREATE2', from: toAddress(factory), bytecode, salt: zeroHash }));
}

const creation = (owner: Hex) => encodeFunctionData({ abi: factoryAbi, functionName: 'create', args: [owner] });

/** A signature that contains the deployment of the account (ERC-6492). */
const withDeployment = (owner: Hex, signature: Hex) =>
  serializeErc6492Signature({ address: toAddress(factory), data: creation(owner), signature });

let local: TestChain;
let offline: Chain;

beforeAll(async () => {
  local = await startTestChain();
  offline = createChain({ ...local.chain, rpcUrl: 'http://127.0.0.1:1' });
  const sender = createSender(local.chain, localAccount('deployer').privateKey);
  for (const transaction of [
    deploymentTransaction({ initCode: factoryCode, salt: zeroHash }),
    { to: factory, data: creation(owner.address) },
  ]) {
    const { hash } = await sender.send(transaction);
    await sender.waitFor(hash!);
  }
});

afterAll(() => local.stop());

test("a key's signature is verified without a request to the chain", async () => {
  const wallet = toWallet(owner.address);
  const signature = await owner.signTypedData(typedData);
  expect(await verifyTypedSignature(offline, { wallet, typedData, signature })).toBe(true);
});

test("another key's signature and a signature over other data are false", async () => {
  const wallet = toWallet(owner.address);
  const foreign = await stranger.signTypedData(typedData);
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature: foreign })).toBe(false);
  const signature = await owner.signTypedData({ ...typedData, message: { ...typedData.message, nonce: 'abd' } });
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature })).toBe(false);
});

test("a smart account's signature (ERC-1271) is the signature of its owner", async () => {
  const wallet = accountOf(owner.address);
  const signature = await owner.signTypedData(typedData);
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature })).toBe(true);
  const foreign = await stranger.signTypedData(typedData);
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature: foreign })).toBe(false);
});

test('a smart account that is not deployed yet signs by ERC-6492, and verification does not deploy it', async () => {
  const wallet = accountOf(stranger.address);
  const signature = withDeployment(stranger.address, await stranger.signTypedData(typedData));
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature })).toBe(true);
  expect(await local.chain.client.getCode({ address: toAddress(wallet) })).toBeUndefined();
});

test("an ERC-6492 signature that deploys another account, or contains another account's signature, is false", async () => {
  const wallet = accountOf(stranger.address);
  const elsewhere = withDeployment(owner.address, await stranger.signTypedData(typedData));
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature: elsewhere })).toBe(false);
  const foreign = withDeployment(stranger.address, await owner.signTypedData(typedData));
  expect(await verifyTypedSignature(local.chain, { wallet, typedData, signature: foreign })).toBe(false);
});

test.each([
  ['nothing', ''],
  ['an empty hex string', '0x'],
  ['words', 'please'],
  ['half a byte', '0x123'],
  ['zeros', `0x${'00'.repeat(65)}`],
  ['ones', `0x${'ff'.repeat(65)}`],
  ['too few bytes', '0x1234'],
  ['a broken ERC-6492 wrapper', concat(['0x1234', `0x${'6492'.repeat(16)}`])],
  ['a megabyte', `0x${'00'.repeat(1 << 20)}`],
])('%s in place of a signature is false, for keys and for contracts', async (_, signature) => {
  const key = toWallet(owner.address);
  expect(await verifyTypedSignature(local.chain, { wallet: key, typedData, signature })).toBe(false);
  const contract = accountOf(owner.address);
  expect(await verifyTypedSignature(local.chain, { wallet: contract, typedData, signature })).toBe(false);
  expect(await verifyTypedSignature(local.chain, { wallet: factory, typedData, signature })).toBe(false);
});

test('a signature that only the chain can verify is refused with chain_unavailable if the chain cannot be reached', async () => {
  const wallet = accountOf(owner.address);
  const signature = await owner.signTypedData(typedData);
  await expect(verifyTypedSignature(offline, { wallet, typedData, signature })).rejects.toMatchObject({
    code: 'chain_unavailable',
  });
});
