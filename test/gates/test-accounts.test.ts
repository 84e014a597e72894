import { expect, test } from 'vitest';
import { testAccountFaults } from './test-accounts.ts';

test('an account of a test mnemonic in a document or a shipped file is reported, in any letter case', () => {
  const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const planted = [
    { path: 'docs/run/production.md', text: `PLATFORM_ADMINS=${account}` },
    { path: 'docs/run/deploy/compose.yaml', text: `PLATFORM_RECIPIENT: "${account.toLowerCase()}"` },
    { path: 'docs/run/wallets.md', text: 'key 0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba' },
  ];
  expect(testAccountFaults(planted)).toHaveLength(3);
  expect(testAccountFaults([{ path: 'docs/run/production.md', text: `0x${'11'.repeat(20)}` }])).toEqual([]);
});
