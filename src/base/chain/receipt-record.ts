import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hash,
  type Hex,
  isHex,
  keccak256,
  parseAbi,
  parseEther,
  zeroAddress,
  zeroHash,
} from 'viem';
import { BPS_TOTAL, type Recipient } from '../core/shares.ts';
import { parseWallet, type Wallet } from '../core/wallet.ts';
import { toAddress, toWallet } from './address.ts';
import factoryArtifact from './contracts/receipt-address-factory.json' with { type: 'json' };
import { addressOf, DEPLOYER, type Deployment, deploymentTransaction, type TransactionCall } from './create2.ts';
import { planSplitter, saltedSplitter } from './plan-splitter.ts';

/*
 * The contracts of receipts' addresses, and all that collects what stands at one from its record alone: without this
 * server, on any chain. A page and a script run it, so it uses nothing of Node.js.
 */

/** What a receipt's address is made of. */
export interface ReceiptAddressParts {
  /** The contract that makes the forwarder at the address. */
  readonly factory: Wallet;
  /** Where the forwarder sends what arrives. */
  readonly split: Wallet;
  readonly merchant: Wallet;
  readonly receiptId: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** 0 for a receipt's first address. */
  readonly number: number;
}

export const factoryAbi = parseAbi([
  'function addressOf(address split, bytes32 salt) view returns (address)',
  'function collect(address split, address token, bytes32[] salts, address[] payees)',
]);

const FACTORY: Deployment = {
  initCode: factoryArtifact.bytecode as Hex,
  salt: zeroHash,
  address: addressOf(factoryArtifact.bytecode as Hex, zeroHash),
};

/** The factory of new addresses. It has the same address on every chain. */
export const RECEIPT_FACTORY: Wallet = FACTORY.address;

/** What deploys the factory. */
export const receiptFactoryDeployment = (): Deployment => FACTORY;

/**
 * The only code that can stand at the addresses of a split: a minimal proxy of the forwarder, which is the factory's
 * first contract, behind a stop for plain coins, and the split.
 */
export const receiptAddressCode = (factory: Wallet, split: Wallet): Hex =>
  concat([
    '0x36600557005b363d3d373d3d3d363d73',
    toAddress(toWallet(getContractAddress({ from: toAddress(factory), nonce: 1n }))),
    '0x5af43d82803e903d91603157fd5bf3',
    toAddress(split),
  ]);

/** What creates that code: `return(0, codecopy(0, 0x0a, 0x47))`. */
export const creationCode = (factory: Wallet, split: Wallet): Hex =>
  concat(['0x3d604780600a3d3981f3', receiptAddressCode(factory, split)]);

/** What to collect, and whom to pay with it. */
export interface Collection {
  readonly factory: Wallet;
  readonly split: Wallet;
  /** Null is the native coin. */
  readonly token: Wallet | null;
  readonly salts: readonly Hash[];
  /** Recipients of the split; may be empty. */
  readonly payees: readonly Wallet[];
}

/**
 * The call that sends what the addresses hold to the split, and then pays the payees. Any account may send it. It never
 * reverts for what it cannot move: the balances show what was done.
 */
export function collectCall({ factory, split, token, salts, payees }: Collection): TransactionCall {
  const address = token === null ? zeroAddress : toAddress(token);
  const args = [toAddress(split), address, [...salts], payees.map(toAddress)] as const;
  return { to: factory, data: encodeFunctionData({ abi: factoryAbi, functionName: 'collect', args }) };
}

/** An address of a receipt with all that collecting needs. */
export interface AddressRecord extends ReceiptAddressParts {
  readonly address: Wallet;
  readonly recipients: readonly Recipient[];
  /** The CREATE2 salt of the split; null if it was not made by Quittance. */
  readonly salt: Hash | null;
  /** The only chain where the split has code; null if it can be deployed on every chain. */
  readonly onlyChainId: number | null;
}

/** Why a text is no record. `field` is the first that is missing or wrong. */
export type RecordFault =
  | { readonly fault: 'json' | 'otherSplit' }
  | { readonly fault: 'field'; readonly field: keyof AddressRecord }
  | { readonly fault: 'otherAddress'; readonly address: Wallet };

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function recipientsOf(given: unknown): Recipient[] | null {
  if (!Array.isArray(given) || given.length === 0) return null;
  const recipients = given.map((one) => ({ address: parseWallet(one?.address)!, sharesBps: one?.sharesBps }));
  const isOne = ({ address, sharesBps }: Recipient) => address !== null && isCount(sharesBps) && sharesBps > 0;
  if (!recipients.every(isOne) || new Set(recipients.map(({ address }) => address)).size < given.length) return null;
  return recipients.reduce((sum, { sharesBps }) => sum + sharesBps, 0) === BPS_TOTAL ? recipients : null;
}

/**
 * Reads a record, and computes split and address from what they are made of. What is not given is what a new address
 * has: this factory, the merchant's own split, any chain. What is given and does not fit is a fault.
 */
export function readRecord(text: string): AddressRecord | RecordFault {
  let given: { readonly [field in keyof AddressRecord]?: unknown };
  try {
    given = JSON.parse(text);
  } catch {
    return { fault: 'json' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { fault: 'json' };
  const wrong = (field: keyof AddressRecord): RecordFault => ({ fault: 'field', field });
  const { receiptId, createdAt, number = 0, salt, onlyChainId = null } = given;
  const merchant = parseWallet(given.merchant);
  const factory = given.factory === undefined ? RECEIPT_FACTORY : parseWallet(given.factory);
  const recipients = recipientsOf(given.recipients);
  if (merchant === null) return wrong('merchant');
  if (factory === null) return wrong('factory');
  if (recipients === null) return wrong('recipients');
  if (typeof receiptId !== 'string' || receiptId === '') return wrong('receiptId');
  if (!isCount(createdAt)) return wrong('createdAt');
  if (!isCount(number)) return wrong('number');
  if (onlyChainId !== null && !isCount(onlyChainId)) return wrong('onlyChainId');
  if (salt !== undefined && salt !== null && !(isHex(salt) && salt.length === 66)) return wrong('salt');
  const planned =
    salt === undefined ? planSplitter({ merchant, recipients }) : salt && saltedSplitter(recipients, salt);
  const split = given.split === undefined && planned ? planned.address : parseWallet(given.split);
  if (split === null) return wrong('split');
  if (planned && planned.address !== split) return { fault: 'otherSplit' };
  const parts = { factory, split, merchant, receiptId, createdAt, number };
  const address = computedAddress(parts);
  if (given.address !== undefined && parseWallet(given.address) !== address) return { fault: 'otherAddress', address };
  return { ...parts, address, recipients, salt: planned ? planned.salt : null, onlyChainId };
}

/** The salt as `receipt-address.ts` has it, which encodes by hand what viem encodes here. */
function computedSalt({ merchant, receiptId, createdAt, number }: ReceiptAddressParts): Hash {
  const types = [{ type: 'address' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }] as const;
  const values = [toAddress(merchant), receiptId, BigInt(createdAt), BigInt(number)] as const;
  return keccak256(encodeAbiParameters(types, values));
}

function computedAddress(parts: ReceiptAddressParts): Wallet {
  const bytecode = creationCode(parts.factory, parts.split);
  const from = toAddress(parts.factory);
  return toWallet(getContractAddress({ opcode: 'CREATE2', from, bytecode, salt: computedSalt(parts) }));
}

/** Asks a node, as an EIP-1193 provider does. */
export type AskNode = (call: { method: string; params?: unknown[] }) => Promise<unknown>;

/** What stands on a chain of what a record needs, and what can be collected there. Base units. */
export interface CollectState {
  readonly missing: readonly ('deployer' | 'factory' | 'split')[];
  /** Whether the signer of the deployer's own transaction can pay for it. */
  readonly funded: boolean;
  /** At the address of the receipt. */
  readonly held: bigint;
  /** At the split, for all its recipients: what was collected before and not released, or came directly. */
  readonly atSplit: bigint;
  readonly decimals: number | null;
  readonly symbol: string | null;
}

/** Reads the chain of a node. Null if no token answers at `token` (null: the coin). Throws what the node throws. */
export async function readCollectState(
  ask: AskNode,
  { address, factory, split }: AddressRecord,
  token: Wallet | null,
): Promise<CollectState | null> {
  const hasCode = async (at: Wallet) =>
    ((await ask({ method: 'eth_getCode', params: [at, 'latest'] })) as string).length > 2;
  const coinsOf = async (at: Wallet) =>
    BigInt((await ask({ method: 'eth_getBalance', params: [at, 'latest'] })) as string);
  const call = async (data: Hex) =>
    (await ask({ method: 'eth_call', params: [{ to: token, data }, 'latest'] })) as string;
  const heldBy = async (at: Wallet): Promise<bigint | null> => {
    if (token === null) return coinsOf(at);
    const args = [toAddress(at)] as const;
    const answer = await call(encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }));
    return answer.length === 66 ? BigInt(answer) : null;
  };
  const places = { deployer: DEPLOYER, factory, split };
  const names = Object.keys(places) as (keyof typeof places)[];
  const there = await Promise.all(names.map((name) => hasCode(places[name])));
  if (token !== null && !(await hasCode(token))) return null;
  const [held, atSplit] = await Promise.all([heldBy(address), heldBy(split)]);
  if (held === null || atSplit === null) return null;
  const missing = names.filter((_, i) => !there[i]);
  const funded = !missing.includes('deployer') || (await coinsOf(DEPLOYER_SIGNER)) >= DEPLOYER_FUNDS;
  if (token === null) return { missing, funded, held, atSplit, decimals: 18, symbol: null };
  // A token may have neither.
  const optional = (functionName: 'decimals' | 'symbol') =>
    call(encodeFunctionData({ abi: erc20Abi, functionName })).catch(() => '0x');
  const [decimals, symbol] = await Promise.all([optional('decimals'), optional('symbol')]);
  const count = decimals.length === 66 ? BigInt(decimals) : 256n;
  return { missing, funded, held, atSplit, decimals: count < 256n ? Number(count) : null, symbol: textOf(symbol) };
}

/** A short text of a contract, without signs that change how a page is read. */
function textOf(answer: string): string | null {
  const length = Number(`0x${answer.slice(66, 130) || '0'}`);
  if (!(length > 0 && length <= 16)) return null;
  const codes = answer.slice(130, 130 + 2 * length).match(/../g) ?? [];
  const text = String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16)));
  return /^[\x21-\x7e]+$/.test(text) ? text : null;
}

/** A step of collecting: a transaction of any account, or one that is signed already. */
export type CollectStep =
  | {
      readonly name: 'fund' | 'factory' | 'split' | 'collect';
      readonly call: Partial<TransactionCall> & { to: Wallet };
    }
  | { readonly name: 'deployer'; readonly signed: Hex };

/** The signer of the deployer's own transaction. The signature is made up, so it has no key; it pays 100 gwei a gas. */
const DEPLOYER_SIGNER = '0x3fab184622dc19b6109349b94811493bf2a45362' as Wallet;
const DEPLOYER_FUNDS = parseEther('0.01');
const DEPLOYER_TRANSACTION: Hex =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222';

/**
 * The steps that are left, in their order: the contracts that are missing, then one transaction that sweeps and
 * releases. None if nothing is to be had. What cannot be put on this chain is named instead.
 */
export function collectSteps(
  record: AddressRecord,
  { missing, funded, held, atSplit }: CollectState,
  token: Wallet | null,
): readonly CollectStep[] | 'factory' | 'split' {
  const { factory, split, recipients, salt } = record;
  const payees = recipients.map(({ address }) => address);
  // Shares are rounded down: less than a unit for each recipient always stays.
  if (held === 0n && atSplit < BigInt(payees.length)) return [];
  if (missing.includes('factory') && factory !== RECEIPT_FACTORY) return 'factory';
  if (missing.includes('split') && salt === null) return 'split';
  const steps: CollectStep[] = [];
  const needsDeployer = missing.includes('factory') || missing.includes('split');
  if (needsDeployer && missing.includes('deployer')) {
    if (!funded) steps.push({ name: 'fund', call: { to: DEPLOYER_SIGNER, value: DEPLOYER_FUNDS } });
    steps.push({ name: 'deployer', signed: DEPLOYER_TRANSACTION });
  }
  if (missing.includes('factory')) steps.push({ name: 'factory', call: deploymentTransaction(FACTORY) });
  if (missing.includes('split') && salt !== null)
    steps.push({ name: 'split', call: deploymentTransaction(saltedSplitter(recipients, salt)) });
  const call = collectCall({ factory, split, token, salts: [computedSalt(record)], payees });
  return [...steps, { name: 'collect', call }];
}
