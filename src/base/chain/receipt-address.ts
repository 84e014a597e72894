import { createKeccak } from 'hash-wasm';
import {
  concat,
  decodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  type Hash,
  type Hex,
  parseAbi,
  size,
  zeroHash,
} from 'viem';
import { boundedCache } from '../core/caches.ts';
import type { Wallet } from '../core/wallet.ts';
import { toAddress } from './address.ts';
import { type Chain, reach } from './client.ts';
import balancesArtifact from './contracts/coin-balances.json' with { type: 'json' };
import { creationCode, factoryAbi, RECEIPT_FACTORY, type ReceiptAddressParts } from './receipt-record.ts';

/*
 * The address of a receipt is a contract that does not exist yet. The only code that can ever stand there sends what it
 * holds to the merchant's split. See contracts/ReceiptAddress.sol.
 */

/**
 * What parts a receipt's address from all others of its split: keccak256 of `abi.encode(address merchant, string
 * receiptId, uint256 createdAt, uint256 number)`, the id as UTF-8. It is encoded by hand, because every order needs it.
 */
export const receiptSalt = (parts: SaltParts): Hash => toHex(saltOf(parts));

type SaltParts = Pick<ReceiptAddressParts, 'merchant' | 'receiptId' | 'createdAt' | 'number'>;

function saltOf({ merchant, receiptId, createdAt, number }: SaltParts): Buffer {
  const length = Buffer.byteLength(receiptId);
  // From the pool of buffers, whereas alloc makes a new one.
  const words = Buffer.allocUnsafe(WORD * (5 + Math.ceil(length / WORD))).fill(0);
  words.write(merchant.slice(2), WORD - 20, 'hex');
  // Where the id begins, after the four words of the parameters; its length stands before it.
  words.writeUInt32BE(4 * WORD, 2 * WORD - 4);
  words.writeUIntBE(createdAt, 3 * WORD - 6, 6);
  words.writeUInt32BE(number, 4 * WORD - 4);
  words.writeUInt32BE(length, 5 * WORD - 4);
  words.write(receiptId, 5 * WORD);
  return keccak256(words);
}

const WORD = 32;

/** Merchants with orders at the same time. */
const MAX_SPLITS = 2_000;
const codeHashes = boundedCache<string, Hash>({ max: MAX_SPLITS });

function codeHashOf(factory: Wallet, split: Wallet): Hash {
  const key = `${factory}${split}`;
  const known = codeHashes.get(key);
  if (known) return known;
  const hash = toHex(keccak256(bytesOf(creationCode(factory, split))));
  codeHashes.set(key, hash);
  return hash;
}

/** The address of what a contract creates (EIP-1014). viem's own function takes several times as long. */
function created(by: Wallet, salt: Buffer, codeHash: Hash): Wallet {
  const hash = keccak256(Buffer.concat([bytesOf(`0xff${by.slice(2)}`), salt, bytesOf(codeHash)]));
  return toHex(hash.subarray(-20)) as Wallet;
}

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');
const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`;

/** The address of a receipt, computed without a request. */
export const receiptAddress = ({ factory, split, ...parts }: ReceiptAddressParts): Wallet =>
  created(factory, saltOf(parts), codeHashOf(factory, split));

/** Parts of an address that no receipt has, for the proof. */
const PROBE = { split: RECEIPT_FACTORY, salt: zeroHash } as const;

/**
 * Why a chain has no addresses of receipts: the factory is missing, or makes others than this server computes. Null if
 * it has them. Throws `chain_unavailable`.
 */
export async function whyNoAddresses({ client }: Chain): Promise<string | null> {
  const to = toAddress(RECEIPT_FACTORY);
  if ((await reach(client.getCode({ address: to }))) === undefined)
    return `The factory of receipts' addresses is not at ${RECEIPT_FACTORY}`;
  const args = [toAddress(PROBE.split), PROBE.salt] as const;
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'addressOf', args });
  const answer = await reach(client.call({ to, data }));
  const hash = codeHashOf(RECEIPT_FACTORY, PROBE.split);
  if (lastWallet(answer.data) !== created(RECEIPT_FACTORY, bytesOf(PROBE.salt), hash))
    return `The contract at ${RECEIPT_FACTORY} makes other addresses than this server`;
  // The chain itself may derive addresses of contracts in another way: then the code that it makes is elsewhere.
  const code = concat([CREATES, creationCode(RECEIPT_FACTORY, PROBE.split)]);
  const { data: made = '0x' } = await reach(client.call({ data: code, gas: PROBE_GAS }));
  const [address, by] = [lastWallet(made.slice(0, 66) as Hex), lastWallet(made)];
  if (size(made) !== 64 || address !== created(by, bytesOf(PROBE.salt), hash))
    return 'The chain gives contracts other addresses than Ethereum does';
  return null;
}

/** The wallet in the last word of an answer. */
const lastWallet = (data: Hex = '0x'): Wallet => `0x${data.slice(-40)}` as Wallet;

const PROBE_GAS = 1_000_000n;

/**
 * Creation code that creates what follows it with CREATE2 and a salt of zero, and answers the new address and its own:
 * `codecopy(0, 0x1e, codesize - 0x1e)`, `create2(0, 0, codesize - 0x1e, 0)`.
 */
const CREATES: Hex = '0x601e380380601e60003960009060006000f56000523060205260406000f3';

/** The addresses of one `eth_call`: more are refused as creation code (EIP-3860). */
const READ_AT_ONCE = 2_400;
/** The calls that are asked at the same time, so that 10,000 addresses take as long as one. */
const CALLS_AT_ONCE = 5;

/**
 * The coins that the addresses hold at a block, in base units; those that hold none are left out. Throws
 * `chain_unavailable`.
 */
export async function readCoinBalances(
  { client }: Chain,
  addresses: readonly Wallet[],
  blockNumber: bigint,
): Promise<ReadonlyMap<Wallet, bigint>> {
  const parts = Array.from({ length: Math.ceil(addresses.length / READ_AT_ONCE) }, (_, i) =>
    addresses.slice(i * READ_AT_ONCE, (i + 1) * READ_AT_ONCE),
  );
  const held = new Map<Wallet, bigint>();
  const read = async (part: readonly Wallet[]) => {
    const data = encodeDeployData({
      abi: parseAbi(['constructor(bytes addresses)']),
      bytecode: balancesArtifact.bytecode as Hex,
      args: [concat(part.map(toAddress))],
    });
    const { data: answer = '0x' } = await reach(client.call({ data, blockNumber }));
    const words = size(answer) / 32;
    const numbers = decodeAbiParameters(
      Array.from({ length: words }, () => ({ type: 'uint256' as const })),
      answer,
    ) as readonly bigint[];
    for (let i = 0; i < words; i += 2) held.set(part[Number(numbers[i])]!, numbers[i + 1]!);
  };
  for (let i = 0; i < parts.length; i += CALLS_AT_ONCE) await Promise.all(parts.slice(i, i + CALLS_AT_ONCE).map(read));
  return held;
}

const keccak = await createKeccak(256);

/** keccak256 for what every order needs: in WebAssembly it takes a tenth of the time that viem's JavaScript takes. */
export const keccak256 = (bytes: Uint8Array): Buffer => Buffer.from(keccak.init().update(bytes).digest('binary'));
