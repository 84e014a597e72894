import { expect, test } from 'vitest';
import { localAccount } from './chain/local.ts';
import { readConfig } from './platform/config.ts';
import { completeSettings } from './settings.ts';

const places = { databaseUrl: 'postgres://localhost/x', rpcUrl: 'http://localhost:1' };
const secrets = { JWT_SECRET: 'a', KEY_ENCRYPTION_KEY: 'b', CRON_SECRET: 'c' };
const key = `0x${'1a'.repeat(32)}`;

test.each([
  { SETTLEMENT_PRIVATE_KEY: key, SPENDER_PRIVATE_KEY: key },
  // The case of the digits makes no other wallet.
  { SETTLEMENT_PRIVATE_KEY: key, SPENDER_PRIVATE_KEY: `0x${'1A'.repeat(32)}` },
  // Nor does the account that a local chain settles with where none is named.
  { SPENDER_PRIVATE_KEY: localAccount('settlement').privateKey },
])('one wallet that is to settle and to charge stops the start: %o', (keys) => {
  expect(() => completeSettings(readConfig({ ...secrets, ...keys }), places)).toThrow(
    /^SETTLEMENT_PRIVATE_KEY: must be of another wallet than SPENDER_PRIVATE_KEY/,
  );
});
