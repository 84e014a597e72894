import { encodeAbiParameters, getContractAddress, keccak256, parseAbiParameters } from 'viem';
import { expect, test } from 'vitest';
import { RECEIPT_FACTORY } from '../../../src/base/chain/receipt-record.ts';
import { commands } from './run.ts';

const split = '0x00000000000000000000000000000000000abc01';
const merchant = '0x00000000000000000000000000000000000abc02';
const factory = RECEIPT_FACTORY as `0x${string}`;
const forwarder = getContractAddress({ from: factory, nonce: 1n }).toLowerCase();
const code = `0x36600557005b363d3d373d3d3d363d73${forwarder.slice(2)}5af43d82803e903d91603157fd5bf3${split.slice(2)}`;

/** By the rules of Ethereum, without the code of the server. */
function addressOf(id: string, createdAt: bigint, number = 0n): string {
  const parts = parseAbiParameters('address, string, uint256, uint256');
  const salt = keccak256(encodeAbiParameters(parts, [merchant, id, createdAt, number]));
  const bytecode = `0x3d604780600a3d3981f3${code.slice(2)}` as const;
  return getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode }).toLowerCase();
}

// Nothing is configured, and nothing answers.
const quittance = commands({ DATABASE_URL: 'postgresql://127.0.0.1:1/none', RPC_URL: 'http://127.0.0.1:1' });
const verify = ['address', 'verify', '--split', split, '--merchant', merchant.toUpperCase().replace('0X', '0x')];
const ofReceipt = [...verify, '--receipt', 'Größe 1', '--created-at'];
const [iso, ms] = ['2026-11-22T04:00:00.123Z', '1795320000123'];
const expected = addressOf('Größe 1', 1_795_320_000_123n);

test('address verify computes the address of a receipt offline, and says where its money can go', async () => {
  const found = { address: expected, matches: null, split, factory, isKnown: true, code };
  expect(await quittance.json(...ofReceipt, iso)).toEqual(found);
  expect(await quittance.json(...ofReceipt, ms)).toEqual(found);
  expect(await quittance.json(...ofReceipt, ms, '--number', '3')).toMatchObject({
    address: addressOf('Größe 1', 1_795_320_000_123n, 3n),
  });
  const { code: exit, stdout } = await quittance.run(...ofReceipt, iso);
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: `${expected}\nIts code can only send what it holds to the split ${split}. It is ${code}.\n`,
  });
});

test('address verify ends with 1 where the address is another one', async () => {
  const same = expected.toUpperCase().replace('0X', '0x');
  expect(await quittance.json(...ofReceipt, iso, '--address', same)).toMatchObject({ matches: true });
  for (const [time, address] of [
    [iso, merchant],
    ['2026-11-22T04:00:00.124Z', expected],
  ] as const) {
    const { code: exit, stdout } = await quittance.run(...ofReceipt, time, '--address', address);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringMatching(/\nDIFFERENT: /) });
  }
});

test('address verify vouches for no factory that it does not know', async () => {
  const { code: exit, stdout } = await quittance.run(...ofReceipt, iso, '--factory', merchant, '--json');
  expect({ exit, answer: JSON.parse(stdout) }).toMatchObject({ exit: 1, answer: { isKnown: false, code: null } });
});

test.each([
  ['--created-at', '2026-11-22'],
  ['--created-at', '2026-11-22T04:00'],
  ['--created-at', '1795320000'],
  ['--split', '0x12'],
  ['--address', 'merchant.eth'],
  ['--number', '-1'],
])('address verify refuses %s %s', async (option, value) => {
  expect(await quittance.run(...ofReceipt, iso, option, value)).toMatchObject({ code: 1, stdout: '' });
});
