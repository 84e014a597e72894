import { describe, expect, test } from 'vitest';
import {
  ANONYMOUS,
  accessRefusal,
  actorOf,
  type Caller,
  type Developer,
  type Guards,
  hasSigned,
  keyOf,
  limitedTo,
  may,
  merchantOf,
  pageOf,
  requirePermission,
  requireSignature,
  type Session,
  seesBuyers,
  sessionOf,
  walletOfActor,
} from './caller.ts';
import { sessionFailed } from './forbidden.ts';
import { type MemberRole, PERMISSIONS, type Permission, permissionsOf } from './roles.ts';
import type { Wallet } from './wallet.ts';

const wallet = `0x${'1'.repeat(40)}` as Wallet;
const merchant = `0x${'2'.repeat(40)}` as Wallet;
const session: Session = {
  kind: 'session',
  sessionId: 's',
  wallet,
  merchant,
  role: 'manager',
  confirmedAt: 1_000,
  platformAdmin: false,
  csrfProven: true,
};
const developer: Developer = {
  kind: 'developer',
  merchant,
  keyId: 'key_1',
  scopes: new Set(['orders:create']),
  unlimited: false,
  limits: null,
};
const buyer = { kind: 'buyer', merchant, receiptId: 'R-1' } as const;
const subscriber = { kind: 'subscriber', merchant, planId: 'plan_1' } as const;
const scheduler = { kind: 'scheduler' } as const;
const visitor = { kind: 'visitor' } as const;

/** The reason of a refusal, with what it names. */
const reasonOf = (caller: Caller, guards: Guards) => {
  const { code, extra } = accessRefusal(caller, guards);
  return { code, ...extra };
};
const forbidden = (reason: string, more: object = {}) => ({ code: 'forbidden', reason, ...more });

test('a merchant’s buyers are seen by its people and keys that may read receipts, and by no other caller', () => {
  const reading = { ...developer, scopes: new Set(['receipts:read'] as const) };
  expect([session, reading].map((caller) => seesBuyers(caller, merchant))).toEqual([true, true]);
  const others: Caller[] = [
    ...[ANONYMOUS, buyer, subscriber, scheduler, visitor, developer],
    { ...session, role: 'cashier' },
    { ...session, role: null },
    { ...session, platformAdmin: true, merchant: null, role: null },
  ];
  expect(others.filter((caller) => seesBuyers(caller, merchant))).toEqual([]);
  expect([session, reading].filter((caller) => seesBuyers(caller, wallet))).toEqual([]);
});

describe('roles', () => {
  test('each role has exactly its permissions', () => {
    const all = Object.keys(PERMISSIONS) as Permission[];
    const without = (...some: Permission[]) => all.filter((one) => !some.includes(one));
    const expected: Record<MemberRole, readonly Permission[]> = {
      owner: all,
      manager: without('split', 'keys:write', 'members', 'privacy'),
      cashier: ['till', 'receipts:own', 'shop:read'],
      bookkeeper: ['receipts:own', 'receipts:read', 'catalog:read', 'shop:read', 'split:read', 'reports', 'audit:read'],
      developer: ['shop:read', 'keys', 'webhooks'],
    };
    for (const role of Object.keys(expected) as MemberRole[])
      expect([role, [...permissionsOf(role)].sort()]).toEqual([role, [...expected[role]].sort()]);
  });

  test('a permission counts for a session with a merchant and a role only', () => {
    expect(may(session, 'money')).toBe(true);
    expect(may(session, 'split')).toBe(false);
    expect(may({ ...session, merchant: null }, 'money')).toBe(false);
    expect(may({ ...session, role: null }, 'money')).toBe(false);
    for (const caller of [developer, buyer, subscriber, scheduler, visitor, ANONYMOUS] as Caller[])
      expect(may(caller, 'money')).toBe(false);
    expect(() => requirePermission(session, 'money')).not.toThrow();
    expect(() => requirePermission(session, 'split')).toThrow('ask for the role owner');
  });

  test('a session without the permission for all receipts is limited to its own wallet', () => {
    expect(limitedTo({ ...session, role: 'cashier' })).toBe(wallet);
    expect(limitedTo(session)).toBeNull();
    expect(limitedTo({ ...session, role: 'cashier', platformAdmin: true })).toBeNull();
    expect(limitedTo(developer)).toBeNull();
  });
});

test('a signature opens for five minutes, for a session only', () => {
  expect(hasSigned(session, 301_000)).toBe(true);
  expect(hasSigned(session, 301_001)).toBe(false);
  expect(hasSigned(developer, 1_000)).toBe(false);
  expect(() => requireSignature(session, 301_000)).not.toThrow();
  expect(() => requireSignature(session, 301_001)).toThrow(
    expect.objectContaining({ extra: { reason: 'signature_required' } }),
  );
});

describe('a refusal says what is missing', () => {
  test('to a caller without proof, who keeps the refusal of its own session', () => {
    expect(reasonOf(ANONYMOUS, { key: true })).toMatchObject({ code: 'unauthorized' });
    const declined = sessionFailed('session_ended');
    expect(accessRefusal({ kind: 'anonymous', declined }, { key: true })).toBe(declined);
  });

  test('to a key', () => {
    expect(reasonOf(developer, { scope: 'shop:read', session: true })).toEqual(
      forbidden('scope_missing', { scope: 'shop:read' }),
    );
    const withSession: Guards[] = [
      ...([{ may: 'money' }, { mayWrite: 'money' }, { maySign: 'money' }] satisfies Guards[]),
      ...[{ member: true }, { memberWrite: true }, { session: true }, { sessionWrite: true }, { platformSign: true }],
    ];
    for (const guards of withSession) expect(reasonOf(developer, guards)).toEqual(forbidden('session_required'));
    expect(reasonOf(developer, { scheduler: true })).toEqual(forbidden('timer_required'));
    expect(reasonOf(developer, { buyer: true })).toEqual(forbidden('page_token_required'));
  });

  test('to the scheduler and to pages', () => {
    expect(reasonOf(scheduler, { session: true })).toEqual(forbidden('timer_limited'));
    for (const caller of [buyer, subscriber, visitor])
      expect(reasonOf(caller, { session: true })).toEqual(forbidden('page_token_limited'));
  });

  test('to a session that would pass but for its CSRF token or its signature', () => {
    const unproven = { ...session, csrfProven: false };
    const passing: Guards[] = [{ sessionWrite: true }, { memberWrite: true }, { mayWrite: 'money' }];
    for (const guards of passing) expect(reasonOf(unproven, guards)).toEqual(forbidden('csrf_token_missing'));
    expect(reasonOf(unproven, { maySign: 'money' })).toEqual(forbidden('csrf_token_missing'));
    expect(reasonOf(session, { maySign: 'money' })).toEqual(forbidden('signature_required'));
    const admin = { ...unproven, platformAdmin: true };
    expect(reasonOf(admin, { platformSign: true })).toEqual(forbidden('csrf_token_missing'));
  });

  test('to a session without the role', () => {
    const money = { role: 'manager', permission: 'money' };
    for (const guards of [{ may: 'money' }, { mayWrite: 'money' }, { maySign: 'money' }] satisfies Guards[]) {
      const cashier = { ...session, role: 'cashier' } as const;
      expect(reasonOf(cashier, guards)).toEqual(forbidden('role_missing', money));
      expect(accessRefusal(cashier, guards).message).toBe('Your role does not include money: ask for the role manager');
      expect(reasonOf({ ...session, merchant: null, role: null }, guards)).toEqual(
        forbidden('role_missing', { role: 'admin' }),
      );
    }
    const outsider = { ...session, merchant: null, role: null };
    for (const guards of [{ member: true }, { memberWrite: true }])
      expect(reasonOf(outsider, guards)).toEqual(forbidden('role_missing', { role: 'admin' }));
    expect(reasonOf(session, { platformSign: true })).toEqual(forbidden('role_missing', { role: 'platform_admin' }));
  });

  test('to a session where another proof counts', () => {
    expect(reasonOf(session, { scope: 'shop:read' })).toEqual(forbidden('key_required'));
    expect(reasonOf(session, { key: true })).toEqual(forbidden('key_required'));
    expect(reasonOf(session, { scheduler: true })).toEqual(forbidden('timer_required'));
    expect(reasonOf(session, { subscriber: true })).toEqual(forbidden('page_token_required'));
  });
});

test('a caller sees the resources of its own merchant, or none', () => {
  for (const caller of [developer, buyer, subscriber, session] as Caller[]) expect(merchantOf(caller)).toBe(merchant);
  const thrown = (caller: Caller) => {
    try {
      return merchantOf(caller);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect([{ ...session, merchant: null }, scheduler, visitor, ANONYMOUS].map((one) => thrown(one as Caller))).toEqual([
    ...['forbidden', 'forbidden', 'forbidden', 'unauthorized'],
  ]);
});

test('a caller is named by its proof', () => {
  expect([developer, session, buyer, scheduler].map(actorOf)).toEqual([
    'key:key_1',
    `wallet:${wallet}`,
    'buyer',
    'internal',
  ]);
  expect(walletOfActor(`wallet:${wallet}`)).toBe(wallet);
  expect(walletOfActor('key:key_1')).toBeNull();
  expect(walletOfActor(`x wallet:${wallet}`)).toBeNull();
  expect([keyOf(developer), keyOf(session)]).toEqual([developer, null]);
  expect(sessionOf(session)).toBe(session);
  expect(() => sessionOf(developer)).toThrow(expect.objectContaining({ extra: { reason: 'session_required' } }));
});

test('only page tokens belong to a page', () => {
  const callers: Caller[] = [buyer, { ...buyer, readOnly: true }, subscriber, visitor, session, developer, scheduler];
  expect(callers.map(pageOf)).toEqual(['receipt', 'receipt_read_only', 'plan', 'live', null, null, null]);
});
