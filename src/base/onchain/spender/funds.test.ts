import { expect, test } from 'vitest';
import { createLog } from '../../platform/log/log.ts';
import { alertOutOfFunds, fundsSufficed } from './funds.ts';
import type { SigningWallet } from './spender-key.ts';

test('a wallet that is empty on two chains raises an alert for each, once, and again after it could pay there', () => {
  const alerts: unknown[] = [];
  const log = Object.assign(Object.create(createLog('silent')), { error: (fields: unknown) => alerts.push(fields) });
  const wallet = { role: 'spender', sender: '0x1' } as unknown as SigningWallet;
  const on = (chainId: number) => ({ log, chain: { chainId } });
  for (const chainId of [1, 10, 1, 10]) alertOutOfFunds(on(chainId), wallet);
  fundsSufficed(on(10), wallet);
  for (const chainId of [1, 10]) alertOutOfFunds(on(chainId), wallet);
  const alert = 'spender_out_of_funds';
  expect(alerts).toEqual([1, 10, 10].map((chainId) => ({ alert, sender: wallet.sender, chainId })));
});
