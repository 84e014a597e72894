import { expect, test } from 'vitest';
import { costText } from './refund-cost.ts';

const share = { recipient: '0xme', sharesBps: 9_950, token: 'USDC', chainId: 1, display: '26.685766' };
const receipt = (settlement: object[]) => ({ merchant: '0xme', settlement, refunds: [] }) as never;

test('a refund that costs more than came in says how much more, and why', () => {
  const others = { ...share, recipient: '0xother', display: '0.134099' };
  const text = costText(receipt([share, others]), { chainId: 1, token: 'USDC', display: '26.81' });
  expect(text).toMatch(/^26\.685766 USDC .* 26\.81 USDC go out: 0\.124234 USDC more/);
  expect(text).toContain('The others of your split keep their shares');
});

test('money of another token or chain is not counted, and a part that came in whole costs nothing more', () => {
  const elsewhere = [
    { ...share, chainId: 2 },
    { ...share, token: 'DAI' },
  ];
  expect(costText(receipt([share, ...elsewhere]), { chainId: 1, token: 'USDC', display: '10' })).toMatch(
    /^10 USDC go out, no more than came in/,
  );
  expect(costText(receipt([...elsewhere, share]), { chainId: 1, token: 'USDC', display: '30' })).toContain(
    '3.314234 USDC more',
  );
});
