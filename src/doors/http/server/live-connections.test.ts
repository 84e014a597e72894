import { expect, onTestFinished, test } from 'vitest';
import type { Caller } from '../../../base/core/caller.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import { createLiveConnections, LIVE_LIMITS } from './live-connections.ts';

const merchant = '0xa' as Wallet;
const key = (of: Wallet): Caller => ({
  kind: 'developer',
  merchant: of,
  keyId: 'k',
  scopes: new Set(),
  unlimited: false,
  limits: null,
});
const session = (wallet: Wallet, of: Wallet | null): Caller => ({
  kind: 'session',
  wallet,
  merchant: of,
  role: of && 'owner',
  confirmedAt: Number.MAX_SAFE_INTEGER,
  sessionId: 's',
  platformAdmin: false,
  csrfProven: true,
});

interface Owner {
  readonly caller: Caller;
  readonly ip?: string;
}

const { merchantConnections, walletConnections, pageConnections } = LIVE_LIMITS;
const owners: [name: string, most: number, owner: Owner, other: Owner][] = [
  ['a merchant', merchantConnections, { caller: key(merchant) }, { caller: key('0xb' as Wallet) }],
  [
    'a wallet',
    walletConnections,
    { caller: session('0xc' as Wallet, null) },
    { caller: session('0xd' as Wallet, null) },
  ],
  [
    'a receipt’s page',
    pageConnections,
    { caller: { kind: 'buyer', merchant, receiptId: 'x' } },
    { caller: { kind: 'buyer', merchant, receiptId: 'y' } },
  ],
  [
    'a plan’s page',
    pageConnections,
    { caller: { kind: 'subscriber', merchant, planId: 'x' } },
    { caller: { kind: 'subscriber', merchant, planId: 'y' } },
  ],
  [
    'an address that views the live users',
    pageConnections,
    { caller: { kind: 'visitor' }, ip: '203.0.113.7' },
    { caller: { kind: 'visitor' }, ip: '203.0.113.8' },
  ],
];

test.each(owners)(
  '%s has a connection limit of its own, and may open another connection when one closes',
  (_, most, owner, other) => {
    const connections = createLiveConnections({ db: {} as Db, clock: Date.now });
    onTestFinished(connections.close);
    const enter = ({ caller, ip = '203.0.113.1' }: Owner) => connections.enter('websocket', { caller, ip }, () => {});
    const leaves = Array.from({ length: most }, () => enter(owner));
    expect(leaves.every((leave) => leave !== null)).toBe(true);
    expect(enter(owner)).toBeNull();
    expect(enter(other)).not.toBeNull();
    leaves[0]?.();
    // Leaving twice counts once.
    leaves[0]?.();
    expect(enter(owner)).not.toBeNull();
    expect(enter(owner)).toBeNull();
  },
);

test('a merchant’s keys and its admins share one limit', () => {
  const connections = createLiveConnections({ db: {} as Db, clock: Date.now });
  onTestFinished(connections.close);
  const enter = (caller: Caller) => connections.enter('websocket', { caller, ip: '203.0.113.1' }, () => {});
  for (let n = 0; n < merchantConnections; n++) enter(n % 2 === 0 ? key(merchant) : session('0xc' as Wallet, merchant));
  expect([enter(key(merchant)), enter(session('0xd' as Wallet, merchant))]).toEqual([null, null]);
});
