import { expect, test } from 'vitest';
import { accessRefusal, type Session } from './caller.ts';
import type { Wallet } from './wallet.ts';

const wallet = `0x${'1'.repeat(40)}` as Wallet;
const session: Session = {
  kind: 'session',
  sessionId: 's',
  wallet,
  merchant: wallet,
  role: 'owner',
  confirmedAt: Number.MAX_SAFE_INTEGER,
  platformAdmin: true,
  csrfProven: true,
};
const forbidden = (reason: string) => ({ code: 'forbidden', status: 403, extra: { reason } });

test('a session where only a key counts hears key_required', () => {
  expect(accessRefusal(session, { scope: 'orders:create' })).toMatchObject(forbidden('key_required'));
  expect(accessRefusal(session, { key: true })).toMatchObject(forbidden('key_required'));
});

test('a session or a key where only the page of a receipt counts hears page_token_required', () => {
  const developer = {
    kind: 'developer',
    merchant: wallet,
    keyId: 'key_1',
    scopes: new Set(['orders:create']),
    unlimited: false,
    limits: null,
  } as const;
  for (const caller of [session, developer])
    expect(accessRefusal(caller as never, { buyerWrite: true })).toMatchObject(forbidden('page_token_required'));
});
