import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import type { ConfigFaults } from './faults.ts';
import { variables } from './variables.ts';

const secret = 's'.repeat(32);
const production = {
  NODE_ENV: 'production',
  JWT_SECRET: secret,
  KEY_ENCRYPTION_KEY: secret,
  CRON_SECRET: secret,
};

function faults(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigFaults).lines;
  }
}

test('production requires a chain: the local chain is not the default there, and may be chosen', () => {
  const missing = ['CHAIN_ID: must be set in production (for example CHAIN_ID=8453)'];
  expect(faults(production)).toEqual(missing);
  expect(faults({ ...production, CHAIN_ID: '' })).toEqual(missing);
  expect(readConfig({ ...production, CHAIN_ID: '31337' }).chainId).toBe(31337);
  expect(readConfig({}).chainId).toBe(31337);
});

const OPTIMISM = { chainId: 10, rpcUrl: 'https://optimism.example.com' };
const chainsOf = (env: Record<string, string>) => {
  const { chainId, furtherChains } = readConfig(env);
  return [chainId, ...furtherChains.map((chain) => chain.chainId)];
};

test('CHAINS adds chains to the one of CHAIN_ID, or names all of them', () => {
  const CHAINS = JSON.stringify([
    { ...OPTIMISM, confirmations: { 0: 3, 100: 'safe' }, spendPermissionManager: `0x${'AB'.repeat(20)}` },
    { ...OPTIMISM, chainId: 1 },
  ]);
  const base = { CHAIN_ID: '8453', RPC_URL: 'https://base.example.com' };
  expect(chainsOf({ ...base, CHAINS })).toEqual([8453, 10, 1]);
  expect(readConfig({ ...base, CHAINS }).furtherChains[0]).toMatchObject({
    rpcUrl: OPTIMISM.rpcUrl,
    rpcFallbackUrls: [],
    confirmations: 3,
    spendPermissionManager: `0x${'ab'.repeat(20)}`,
    finality: [{ depth: 3 }, { fromCents: 10_000, depth: 'safe' }],
  });
  expect(chainsOf({ ...production, CHAINS })).toEqual([10, 1]);
  const spendPermissionManager = `0x${'ab'.repeat(20)}`;
  expect(readConfig({ CHAINS })).toMatchObject({
    rpcUrl: OPTIMISM.rpcUrl,
    confirmations: 3,
    spendPermissionManager,
    furtherChains: [{ chainId: 1, spendPermissionManager: null }],
  });
  expect(chainsOf(base)).toEqual([8453]);
});

test('without any variable there are two local chains, and with RPC_URL one', () => {
  expect(chainsOf({})).toEqual([31_337, 31_338]);
  expect(chainsOf({ RPC_URL: 'http://127.0.0.1:8545' })).toEqual([31_337]);
});

test.each([
  ['{}', /^CHAINS: the value/],
  ['[]', /must have an entry/],
  [JSON.stringify([OPTIMISM, OPTIMISM]), /must name chain 10 once/],
  [JSON.stringify([{ ...OPTIMISM, chainId: 8453 }]), /must not name chain 8453, which CHAIN_ID names/],
  [JSON.stringify([{ ...OPTIMISM, chainId: 31_338 }]), /must not have local chains beside public ones/],
  [JSON.stringify([{ ...OPTIMISM, chainId: 999_999 }]), /chain 999999 is not known: its entry needs tokens/],
  [JSON.stringify([{ chainId: 10 }]), /^CHAINS: 0\.rpcUrl/],
  [JSON.stringify([{ ...OPTIMISM, rpcUrl: 'ws://x' }]), /0\.rpcUrl: must be a URL/],
  [JSON.stringify([{ ...OPTIMISM, rpc: 'x' }]), /CHAINS: 0/],
  [JSON.stringify([{ ...OPTIMISM, spendPermissionManager: '0x12' }]), /CHAINS: 0\.spendPermissionManager/],
])('CHAINS %s is refused with the reason in one line', (CHAINS, reason) => {
  const [fault, ...others] = faults({ CHAIN_ID: '8453', RPC_URL: 'https://base.example.com', CHAINS });
  expect([fault, others]).toEqual([expect.stringMatching(reason), []]);
});

// Contract: webhooks.https, webhooks.no-localhost
test('webhooks go to http and to private addresses only in development, unless configured otherwise', () => {
  const allowed = (env: Record<string, string>) => readConfig(env).webhookAllowInsecure;
  expect([allowed({}), allowed({ ...production, CHAIN_ID: '31337' })]).toEqual([true, false]);
  expect(allowed({ WEBHOOK_ALLOW_INSECURE: '0' })).toBe(false);
  expect(allowed({ ...production, CHAIN_ID: '31337', WEBHOOK_ALLOW_INSECURE: '1' })).toBe(true);
});

test('a pooler in transaction mode requires the database behind it', () => {
  const pooled = { DATABASE_POOLER: 'transaction', DATABASE_URL: 'postgresql://pooler/shop' };
  expect(() => readConfig(pooled)).toThrow('DATABASE_SESSION_URL: must be set together with DATABASE_POOLER');
  const config = readConfig({ ...pooled, DATABASE_SESSION_URL: 'postgresql://database/shop' });
  expect([config.databasePooler, config.databaseSessionUrl]).toEqual(['transaction', 'postgresql://database/shop']);
});

test('a certificate requires its key, in readable files that match', () => {
  const lone = { TLS_CERT_FILE: import.meta.filename };
  expect(faults(lone)).toEqual([
    'TLS_KEY_FILE: must be set together with the other (for example TLS_KEY_FILE=/etc/quittance/privkey.pem)',
  ]);
  expect(faults({ ...lone, TLS_KEY_FILE: '/nowhere.pem' })[0]).toMatch(
    /^TLS_KEY_FILE: must name a file that can be read/,
  );
  expect(faults({ ...lone, TLS_KEY_FILE: import.meta.filename })).toEqual([
    expect.stringMatching(/^TLS_KEY_FILE: must be the key of TLS_CERT_FILE, .+ \(for example/),
  ]);
});

test('fallback endpoints require RPC_URL, and each is a URL', () => {
  const rpc = {
    RPC_URL: 'http://one.example.com',
    RPC_FALLBACK_URL: 'http://two.example.com, https://three.example.com',
  };
  expect(readConfig(rpc).rpcFallbackUrls).toEqual(['http://two.example.com', 'https://three.example.com']);
  expect(readConfig({}).rpcFallbackUrls).toEqual([]);
  expect(faults({ RPC_FALLBACK_URL: rpc.RPC_FALLBACK_URL })).toEqual([
    expect.stringMatching(/^RPC_URL: must be set together with RPC_FALLBACK_URL/),
  ]);
  expect(faults({ ...rpc, RPC_FALLBACK_URL: 'http://two.example.com,ftp://x' })).toEqual([
    expect.stringMatching(/^RPC_FALLBACK_URL: must be a URL that begins with http:/),
  ]);
});

test.each([
  ['LOG_LEVEL', 'loud', 'must be trace, debug, info, warn, error, fatal or silent (for example LOG_LEVEL=warn)'],
  ['WEBHOOK_ALLOW_INSECURE', 'yes', 'must be 1, 0, true or false (for example WEBHOOK_ALLOW_INSECURE=0)'],
  [
    'BASE_URL',
    'pay.example.com',
    'must be a URL that begins with http:// or https:// (for example BASE_URL=https://pay.example.com)',
  ],
  [
    'BASE_URL',
    'https://pay.example.com/?shop=1',
    'must have no query, no fragment and no password (for example BASE_URL=https://pay.example.com)',
  ],
  [
    'PARTNER_HOSTS',
    'pay.acme.com=',
    'must be a comma-separated list of host or host=brandKey (for example PARTNER_HOSTS=pay.acme.com=acme)',
  ],
  [
    'PARTNER_HOSTS',
    'pay.acme.com=a=b',
    'must be a comma-separated list of host or host=brandKey (for example PARTNER_HOSTS=pay.acme.com=acme)',
  ],
  [
    'PLATFORM_RECIPIENT',
    `0x${'0'.repeat(40)}`,
    'must not be the zero address (for example PLATFORM_RECIPIENT=0x1111111111111111111111111111111111111111)',
  ],
])('%s=%s is reported in one line with the variable, the problem and an example', (name, value, problem) => {
  expect(faults({ [name]: value })).toEqual([`${name}: ${problem}`]);
});

test('partner hosts have an optional brand, and any letter case', () => {
  const { partnerHosts } = readConfig({ PARTNER_HOSTS: 'Pay.Acme.com=acme, pay.plain.com,localhost:8080=Port' });
  expect([...partnerHosts]).toEqual([
    ['pay.acme.com', 'acme'],
    ['pay.plain.com', null],
    ['localhost:8080', 'Port'],
  ]);
});

test('DATA_DIR is a writable folder, or one that can be created', () => {
  const { filename, dirname } = import.meta;
  for (const path of [filename, `${filename}/below`, `${filename}/far/below`])
    expect(faults({ DATA_DIR: path })).toEqual([
      `DATA_DIR: must be a writable folder, not ${path} (for example DATA_DIR=/var/lib/quittance)`,
    ]);
  expect(readConfig({ DATA_DIR: `${dirname}/not/there/yet` }).dataDir).toBe(`${dirname}/not/there/yet`);
});

test('confirmations depend on the chain unless they are set, as a number, a tag or by amount', () => {
  const finalityOf = (env: Record<string, string>) => readConfig({ RPC_URL: 'http://127.0.0.1:8545', ...env });
  const small = (env: Record<string, string>) => finalityOf(env).confirmations;
  expect([small({}), small({ CHAIN_ID: '1' }), small({ CHAIN_ID: '84532' }), small({ CHAIN_ID: '99999' })]).toEqual([
    2, 12, 3, 12,
  ]);
  expect(finalityOf({ CHAIN_ID: '8453' }).finality).toEqual([
    { fromCents: 0, depth: 12 },
    { fromCents: 100_000, depth: 'safe' },
    { fromCents: 1_000_000, depth: 'finalized' },
  ]);
  expect(finalityOf({ CHAIN_ID: '8453', CONFIRMATIONS: '5' })).toMatchObject({
    confirmations: 5,
    finality: [{ fromCents: 0, depth: 5 }],
  });
  // A payment that waits for a tag is read a second time after the blocks of the chain's small payments.
  expect(finalityOf({ CHAIN_ID: '1', CONFIRMATIONS: 'finalized' })).toMatchObject({
    confirmations: 12,
    finality: [{ fromCents: 0, depth: 'finalized' }],
  });
});

test.each(['many', '-1', '1001', '{"1000": 12}', '{"0": 12, "1000": 2}', '{"0": "latest"}'])(
  'CONFIRMATIONS=%s stops the start with the variable and the fix',
  (CONFIRMATIONS) => {
    const [line, ...others] = faults({ CONFIRMATIONS });
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^CONFIRMATIONS: must .* \(for example CONFIRMATIONS=\{"0":2,"1000":12,"10000":"finalized"\}\)$/,
    );
  },
);

const onBase = { CHAIN_ID: '8453', RPC_URL: 'https://mainnet.base.org' };
const ANVIL = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const ANVIL_KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const GANACHE = '0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1';
const OWN = `0x${'5a3c91e4'.repeat(5)}`;
const OWN_KEY = `0x${'5a3c91e4'.repeat(8)}`;

test.each([
  ['PLATFORM_RECIPIENT', ANVIL],
  ['PLATFORM_RECIPIENT', GANACHE.toUpperCase().replace('0X', '0x')],
  ['PLATFORM_ADMINS', `${OWN},${ANVIL}`],
  ['SPENDER_PRIVATE_KEY', ANVIL_KEY],
  ['SPENDER_PREVIOUS_KEYS', `${OWN_KEY},${ANVIL_KEY}`],
  ['SETTLEMENT_PRIVATE_KEY', ANVIL_KEY.toUpperCase().replace('0X', '0x')],
])('a public chain takes no account of a test mnemonic as %s, and a local chain does', (name, value) => {
  const [fault, ...others] = faults({ ...onBase, [name]: value });
  expect(fault).toContain(`${name}: must not be an account of a test mnemonic: everybody holds its key`);
  expect(others).toEqual([]);
  expect(() => readConfig({ [name]: value })).not.toThrow();
});

test('a public chain takes no placeholder of an example, and each wallet of the examples is one', () => {
  for (const name of ['PLATFORM_RECIPIENT', 'PLATFORM_ADMINS'] as const)
    expect(faults({ ...onBase, [name]: variables[name].example })).toEqual([
      expect.stringContaining(`${name}: must be a wallet of yours, not the placeholder of an example`),
    ]);
});

test('a public chain takes wallets and keys of one’s own', () => {
  const own = { PLATFORM_RECIPIENT: OWN, PLATFORM_ADMINS: OWN, SETTLEMENT_PRIVATE_KEY: OWN_KEY };
  expect(() => readConfig({ ...onBase, ...own })).not.toThrow();
});

test('SPENDER_ADDRESS is the wallet of the key, in any letter case', () => {
  const base = { CHAIN_ID: '8453', RPC_URL: 'https://rpc.example.com' };
  const SPENDER_PRIVATE_KEY = generatePrivateKey();
  const address = privateKeyToAddress(SPENDER_PRIVATE_KEY);
  expect(readConfig({ ...base, SPENDER_PRIVATE_KEY, SPENDER_ADDRESS: address }).spenderAddress).toBe(
    address.toLowerCase(),
  );
  const other = privateKeyToAddress(generatePrivateKey());
  expect(faults({ ...base, SPENDER_PRIVATE_KEY, SPENDER_ADDRESS: other })).toEqual([
    expect.stringMatching(/^SPENDER_ADDRESS: must be the wallet of SPENDER_PRIVATE_KEY/),
  ]);
  expect(faults({ ...base, SPENDER_ADDRESS: other })).toEqual([]);
});
