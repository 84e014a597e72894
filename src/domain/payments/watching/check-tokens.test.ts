import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openRelay } from '../../../../test/support/relay.ts';
import { findTokenFault } from '../../../base/chain/check-tokens.ts';
import { createChain } from '../../../base/chain/client.ts';
import type { Token } from '../../../base/chain/token.ts';
import { parseWallet } from '../../../base/core/wallet.ts';
import { quotePayment } from '../paying/quote-payment.ts';
import { openWorld, type World } from '../test/world.ts';
import { checkTokens } from './check-tokens.ts';

let world: World;
let usdc: Token;
beforeAll(async () => {
  world = await openWorld();
  usdc = world.chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
});
afterAll(() => world.stop());

const faultOf = (token: Token) => findTokenFault({ ...world.chain, tokens: [token] });

test('a token is valid if its decimals and its symbol, in any case, match its contract', async () => {
  expect(await findTokenFault(world.chain)).toBeNull();
  expect(await faultOf({ ...usdc, symbol: 'usdc' })).toBeNull();
  expect(await faultOf({ ...usdc, symbol: 'DOLLARS', onChainSymbol: 'USDC' })).toBeNull();
});

test('a token with other decimals, another symbol or no contract is reported with the configured and the actual values', async () => {
  expect(await faultOf({ ...usdc, decimals: 18 })).toMatch(/^USDC: decimals is 18, and its contract at 0x\S+ says 6$/);
  expect(await faultOf({ ...usdc, symbol: 'USDT' })).toMatch(
    /^USDT: .* calls itself "USDC", not "USDT"; .*onChainSymbol/,
  );
  expect(await faultOf({ ...usdc, onChainSymbol: 'USDbC' })).toMatch(/calls itself "USDC", not "USDbC"/);
  const nowhere = parseWallet('0x00000000000000000000000000000000000000ff')!;
  expect(await faultOf({ ...usdc, address: nowhere })).toMatch(
    /^USDC: there is no contract at 0x0+fF on chain 31337$/i,
  );
});

/** The dependencies of a start, with configured tokens and an RPC that can be disconnected. */
async function starting(token: Token) {
  const relay = await openRelay(world.rpcUrl);
  const tokens = [token];
  const chain = createChain({ ...world.chain, rpcUrl: relay.url, tokens });
  return { relay, deps: { ...world.deps, chain, settings: { ...world.deps.settings, tokens } } };
}

test('a start with a token of other decimals is refused with one line that names TOKENS', async () => {
  const { deps } = await starting({ ...usdc, decimals: 18 });
  await expect(checkTokens(deps)).rejects.toMatchObject({
    lines: [expect.stringMatching(/^TOKENS: USDC: decimals is 18, and its contract at \S+ says 6 \(for example/)],
  });
});

test.each([
  [6, true],
  [18, false],
])(
  'started without the chain, a token of %i decimals is offered after the chain has responded: %s',
  async (decimals, offered) => {
    const { relay, deps } = await starting({ ...usdc, decimals });
    const alarms: unknown[] = [];
    const log = { warn: () => {}, error: (fields: unknown) => alarms.push(fields) } as never;
    const { wallet: merchant } = await world.merchant();
    const receiptId = await world.receipt(merchant, 1_000);
    const quote = () => quotePayment(deps, { merchant, receiptId, token: 'USDC' });
    await relay.cut();
    const check = await checkTokens({ ...deps, log });
    onTestFinished(() => check.stop());
    await expect(quote()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/will be offered shortly/),
    });
    await relay.mend();
    if (offered) {
      await vi.waitFor(quote);
    } else {
      await vi.waitFor(() => expect(alarms).toMatchObject([{ alert: 'wrong_token' }]));
      await expect(quote()).rejects.toMatchObject({ code: 'invalid_input' });
    }
  },
);
