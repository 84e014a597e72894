import { expect, test } from 'vitest';
import { sources } from './sources.ts';
import { walletRequestFaults } from './wallet-requests.ts';

test.each(['eth_sendTransaction', 'wallet_sendCalls'])(
  'a page that asks a wallet for %s by itself is reported',
  (method) => {
    const text = `const hash = await provider.request({ method: '${method}', params });`;
    expect(walletRequestFaults([{ path: 'src/doors/pages/portal/client/planted.ts', text }])).toHaveLength(1);
  },
);

test.each([
  ['src/doors/pages/client/wallet.ts', ', chainId: hex(chainId) }'],
  ['src/doors/pages/client/wallet.ts', '  await requireChain(provider, chainId);\n'],
  ['src/doors/pages/client/calls.ts', ' chainId: hex(chainId),'],
  ['src/doors/pages/client/calls.ts', '  await requireChain(provider, chainId);\n'],
])('%s is reported without %j', (path, part) => {
  const { text } = sources().find((file) => file.path === path)!;
  expect(text).toContain(part);
  expect(walletRequestFaults([{ path, text }])).toEqual([]);
  expect(walletRequestFaults([{ path, text: text.replace(part, ' ') }])).toHaveLength(1);
});
