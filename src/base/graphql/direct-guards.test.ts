import { expect, test } from 'vitest';
import { ANONYMOUS, type Caller, type Session } from '../core/caller.ts';
import type { Wallet } from '../core/wallet.ts';
import { guardsHeldBy } from './direct-guards.ts';
import { ANONYMOUS_RIGHTS, rightsOf } from './rights.ts';

const wallet = `0x${'1'.repeat(40)}` as Wallet;
const merchant = `0x${'2'.repeat(40)}` as Wallet;
const session: Session = {
  kind: 'session',
  sessionId: 's',
  wallet,
  merchant,
  role: 'manager',
  confirmedAt: 1_000,
  platformAdmin: true,
  csrfProven: true,
};
const developer = {
  kind: 'developer',
  merchant,
  keyId: 'key_1',
  scopes: new Set(['shop:read', 'orders:create']),
  unlimited: true,
  limits: { orders: 5 },
} as const satisfies Caller;

/** The names of the guards that let a caller pass; those with a parameter by `money` and `shop:read`. */
const held = (caller: Caller) => {
  const guards = guardsHeldBy(caller);
  const asked = {
    ...guards,
    scope: guards.scope('shop:read'),
    may: guards.may('money'),
    mayWrite: guards.mayWrite('money'),
  };
  return Object.entries(asked)
    .filter(([, passes]) => passes)
    .map(([name]) => name);
};

test('each caller passes exactly its guards', () => {
  const reads = ['may', 'member', 'session', 'platform'];
  const writes = ['mayWrite', 'memberWrite', 'sessionWrite'];
  expect(held(session).sort()).toEqual(['public', ...reads, ...writes].sort());
  expect(held({ ...session, csrfProven: false }).sort()).toEqual(['public', ...reads].sort());
  expect(held({ ...session, role: 'cashier', platformAdmin: false }).sort()).toEqual(
    ['public', 'member', 'memberWrite', 'session', 'sessionWrite'].sort(),
  );
  expect(held({ ...session, merchant: null, role: null, platformAdmin: false })).toEqual([
    ...['public', 'session', 'sessionWrite'],
  ]);
  expect(held(developer)).toEqual(['public', 'scope', 'key']);
  expect(held({ ...developer, scopes: new Set() })).toEqual(['public', 'key']);
  expect(held({ kind: 'buyer', merchant, receiptId: 'R-1' })).toEqual(['public', 'buyer', 'buyerWrite']);
  expect(held({ kind: 'buyer', merchant, receiptId: 'R-1', readOnly: true })).toEqual(['public', 'buyer']);
  expect(held({ kind: 'subscriber', merchant, planId: 'p' })).toEqual(['public', 'subscriber']);
  expect(held({ kind: 'visitor' })).toEqual(['public', 'visitor']);
  expect(held({ kind: 'scheduler' })).toEqual(['public', 'scheduler']);
  expect(held(ANONYMOUS)).toEqual(['public']);
});

test('callers share results only if they may see the same', () => {
  const keys = (callers: readonly Caller[]) => callers.map((caller) => rightsOf(caller).key);
  const buyer = { kind: 'buyer', merchant, receiptId: 'R-1' } as const;
  const subscriber = { kind: 'subscriber', merchant, planId: 'p' } as const;
  const different: Caller[] = [
    ...[session, { ...session, wallet: merchant }, { ...session, merchant: wallet }, { ...session, role: 'owner' }],
    ...[
      { ...session, platformAdmin: false },
      { ...session, csrfProven: false },
    ],
    ...[developer, { ...developer, merchant: wallet }, { ...developer, scopes: new Set(['shop:read']) }],
    ...[buyer, { ...buyer, readOnly: true }, { ...buyer, receiptId: 'R-2' }, { ...buyer, merchant: wallet }],
    ...[subscriber, { ...subscriber, planId: 'q' }, { ...subscriber, merchant: wallet }],
    ...[{ kind: 'visitor' }, { kind: 'scheduler' }, ANONYMOUS],
  ] as Caller[];
  expect(new Set(keys(different)).size).toBe(different.length);
  const alike: Caller = {
    ...developer,
    keyId: 'key_2',
    limits: null,
    scopes: new Set(['orders:create', 'shop:read']),
  };
  expect(rightsOf(alike).key).toBe(rightsOf(developer).key);
  expect(rightsOf({ ...session, sessionId: 't', confirmedAt: 2 }).key).toBe(rightsOf(session).key);
});

test('a shared execution has the rights of its callers and no identity', () => {
  expect(rightsOf(developer).caller).toEqual({ ...developer, keyId: 'shared', unlimited: false, limits: null });
  expect(rightsOf(session).caller).toEqual({ ...session, sessionId: 'shared', confirmedAt: 0 });
  const buyer = { kind: 'buyer', merchant, receiptId: 'R-1' } as const;
  expect(rightsOf(buyer).caller).toEqual(buyer);
  const subscriber = { kind: 'subscriber', merchant, planId: 'p' } as const;
  expect(rightsOf(subscriber).caller).toEqual(subscriber);
  expect(ANONYMOUS_RIGHTS).toEqual({ key: 'anonymous', caller: ANONYMOUS });
});
