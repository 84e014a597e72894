import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import type { ConfigFaults } from './faults.ts';

const BASE = { CHAIN_ID: '8453', RPC_URL: 'https://rpc.example.com' };
const STRIPE = { ONRAMP_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as ConfigFaults).lines;
  }
}

test('by default the local chain accepts cards in the sandbox, and a public chain accepts none', () => {
  expect(readConfig({}).onramp).toEqual({ provider: 'sandbox' });
  expect(readConfig(BASE).onramp).toBeNull();
});

test('the sandbox is refused on a public chain', () => {
  expect(faultsOf({ ...BASE, ONRAMP_PROVIDER: 'sandbox' })).toEqual([
    expect.stringMatching(/^ONRAMP_PROVIDER: sandbox works on the local chain only, not on chain 8453 \(for example/),
  ]);
});

test('Stripe requires both secrets, and each missing one is a separate fault', () => {
  expect(faultsOf({ ...BASE, ONRAMP_PROVIDER: 'stripe' })).toEqual([
    'STRIPE_SECRET_KEY: must be set for ONRAMP_PROVIDER=stripe (for example STRIPE_SECRET_KEY=sk_live_…)',
    'STRIPE_WEBHOOK_SECRET: must be set for ONRAMP_PROVIDER=stripe (for example STRIPE_WEBHOOK_SECRET=whsec_…)',
  ]);
});

test('Stripe delivers on its supported chains; on test chains only a key in test mode is accepted', () => {
  expect(readConfig({ ...BASE, ...STRIPE }).onramp).toMatchObject({
    provider: 'stripe',
    networks: new Map([[8453, 'base']]),
    apiUrl: 'https://api.stripe.com',
  });
  expect(faultsOf({ ...BASE, ...STRIPE, CHAIN_ID: '84532' })).toEqual([
    expect.stringContaining('ONRAMP_PROVIDER: stripe delivers USDC on chains 1, 10, 137, 8453, not on chain 84532'),
  ]);
  expect(readConfig({ ...BASE, ...STRIPE, CHAIN_ID: '84532', STRIPE_SECRET_KEY: 'sk_test_1' }).onramp).toMatchObject({
    networks: new Map([[84532, 'base']]),
  });
});

test('Stripe delivers on those of several chains that it supports', () => {
  const CHAINS = JSON.stringify([
    { chainId: 10, rpcUrl: 'https://optimism.example.com' },
    { chainId: 100, rpcUrl: 'https://gnosis.example.com' },
  ]);
  expect(readConfig({ ...STRIPE, CHAIN_ID: '43114', RPC_URL: BASE.RPC_URL, CHAINS }).onramp).toMatchObject({
    networks: new Map([[10, 'optimism']]),
  });
});
