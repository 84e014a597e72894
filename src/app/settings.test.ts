import { expect, test } from 'vitest';
import { localAccount } from '../base/chain/local-accounts.ts';
import { readConfig } from '../base/platform/config/config.ts';
import { completeSettings } from './settings.ts';

const places = { databaseUrl: 'postgres://localhost/x', rpcUrl: 'http://localhost:1' };
const secrets = { JWT_SECRET: 'a', KEY_ENCRYPTION_KEY: 'b', CRON_SECRET: 'c' };
const key = `0x${'1a'.repeat(32)}`;

test.each([
  { SETTLEMENT_PRIVATE_KEY: key, SPENDER_PRIVATE_KEY: key },
  // The letter case of the digits does not change the wallet.
  { SETTLEMENT_PRIVATE_KEY: key, SPENDER_PRIVATE_KEY: `0x${'1A'.repeat(32)}` },
  // The default settlement account of the local chain.
  { SPENDER_PRIVATE_KEY: localAccount('settlement').privateKey },
])('the start fails if one wallet both settles and charges: %o', (keys) => {
  expect(() => completeSettings(readConfig({ ...secrets, ...keys }), places)).toThrow(
    /^SETTLEMENT_PRIVATE_KEY: must belong to a different wallet than SPENDER_PRIVATE_KEY/,
  );
});

test('a replaced key of the spender is no key in use, and is valid', () => {
  const other = `0x${'2b'.repeat(32)}`;
  const read = (SPENDER_PREVIOUS_KEYS: string) =>
    completeSettings(readConfig({ ...secrets, SPENDER_PRIVATE_KEY: key, SPENDER_PREVIOUS_KEYS }), places);
  expect(read(`${other}, 0x${'3c'.repeat(32)}`).previousSpenderKeys).toHaveLength(2);
  expect(() => read(key.toUpperCase().replace('0X', '0x'))).toThrow(/^SPENDER_PREVIOUS_KEYS: must not repeat/);
  expect(() => read(`${other},0x12`)).toThrow(/^SPENDER_PREVIOUS_KEYS: each must be 0x followed by 64/);
});
