import { parseGwei } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestChain, type TestChain } from '../../chain/test/anvil.ts';
import { createLog } from '../../platform/log/log.ts';
import { belowCeiling, readOffer } from './fees.ts';

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.stop());

const under = (maxFeeGwei: number | null) => ({
  chain: local.chain,
  log: createLog('silent'),
  settings: { maxFeeGwei },
});

async function setBaseFee(gwei: string): Promise<void> {
  await local.control.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
  await local.control.mine({ blocks: 1 });
}

test('an offer never exceeds the ceiling, and there is none while the next block asks for more', async () => {
  await setBaseFee('40');
  expect((await readOffer(under(null)))!.maxFeePerGas).toBeGreaterThan(parseGwei('40'));
  // The node suggests more than the ceiling as a margin, but the next block asks for less.
  expect((await readOffer(under(44)))!.maxFeePerGas).toBe(parseGwei('44'));
  expect(await readOffer(under(20))).toBe(null);
  await setBaseFee('1');
  expect((await readOffer(under(20)))!.maxFeePerGas).toBeLessThan(parseGwei('20'));
});

test.each([
  ['below the ceiling is kept', '10', '15', '15'],
  ['above the ceiling is lowered to it', '10', '30', '20'],
  ['that a node would not accept below the ceiling is not sent', '21', '30', null],
] as const)('the fee of a replacement %s', (_, least, wanted, expected) => {
  const fees = (gwei: string) => ({ maxFeePerGas: parseGwei(gwei), maxPriorityFeePerGas: parseGwei('2') });
  const deps = { settings: { maxFeeGwei: 20 } } as Parameters<typeof belowCeiling>[0];
  expect(belowCeiling(deps, fees(least), fees(wanted))).toEqual(expected === null ? null : fees(expected));
});
