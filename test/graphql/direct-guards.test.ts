import { RequestCache } from '@pothos/plugin-scope-auth';
import { isInterfaceType, isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { ANONYMOUS, type Caller, type Developer, type Session } from '../../src/base/core/caller.ts';
import { ROLE_NAMES } from '../../src/base/core/roles.ts';
import { SCOPES, type Scope } from '../../src/base/core/scopes.ts';
import type { Wallet } from '../../src/base/core/wallet.ts';
import { builder } from '../../src/base/graphql/builder.ts';
import type { Context } from '../../src/base/graphql/context.ts';
import { directFields } from '../../src/base/graphql/direct-guards.ts';
import { schema } from '../../src/doors/http/server/schema.ts';

const SHOP = `0x${'1'.repeat(40)}` as Wallet;
const WALLET = `0x${'2'.repeat(40)}` as Wallet;

const keyWith = (...scopes: Scope[]): Developer => ({
  ...{ kind: 'developer', merchant: SHOP, keyId: 'key', scopes: new Set(scopes), unlimited: false, limits: null },
});

/** Every kind of caller, with each scope and role that it may have. */
function* everyCaller(): Generator<Caller> {
  yield ANONYMOUS;
  yield { kind: 'visitor' };
  yield { kind: 'scheduler' };
  yield { kind: 'buyer', merchant: SHOP, receiptId: 'R-1' };
  yield { kind: 'buyer', merchant: SHOP, receiptId: 'R-1', readOnly: true };
  yield { kind: 'subscriber', merchant: SHOP, planId: 'plan' };
  yield keyWith();
  yield keyWith(...SCOPES);
  for (const scope of SCOPES) yield keyWith(scope);
  for (const csrfProven of [false, true])
    for (const platformAdmin of [false, true])
      for (const role of [null, ...ROLE_NAMES]) {
        const session: Omit<Session, 'merchant'> = {
          ...{ kind: 'session', sessionId: 's', wallet: WALLET, role, platformAdmin, csrfProven, confirmedAt: 0 },
        };
        yield { ...session, merchant: role && SHOP };
        yield { ...session, merchant: SHOP };
      }
}

/** Nothing of it changes what a direct guard decides. */
const SURROUNDINGS = { request: { route: null }, clock: () => 0 } as unknown as Context;

test('a direct guard lets exactly those callers pass that scope-auth lets pass without a grant', () => {
  const callers = [...everyCaller()];
  const faults: string[] = [];
  for (const { name, maps, passes } of directFields) {
    for (const caller of callers) {
      const cache = RequestCache.fromContext({ ...SURROUNDINGS, caller } as Context, builder);
      const byScopeAuth = maps.every((map) => cache.evaluateScopeMap(map) === null);
      if (passes(caller) !== byScopeAuth) faults.push(`${name} for ${JSON.stringify(caller)}`);
      // The decision is kept for the next request of the caller.
      if (passes(caller) !== byScopeAuth) faults.push(`${name} for ${JSON.stringify(caller)}, repeated`);
    }
  }
  expect(faults).toEqual([]);
});

interface Guarded {
  readonly authScopes?: unknown;
  readonly grantScopes?: unknown;
}
const optionsOf = ({ extensions }: { readonly extensions: object }) =>
  ((extensions as { pothosOptions?: unknown }).pothosOptions ?? {}) as Guarded;

test('every guarded field has a direct guard of all its scopes, unless it grants some or needs a fresh signature', () => {
  const direct = new Map(directFields.map(({ name, maps }) => [name, maps]));
  const expected = new Map<string, readonly unknown[]>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type === schema.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) {
      const owners = [field, type, ...type.getInterfaces().filter(isInterfaceType)].map(optionsOf);
      const scopes = owners.flatMap(({ authScopes }) => authScopes ?? []);
      const names = scopes.flatMap((map) => Object.keys(map as object));
      if (names.some((name) => /Sign$/.test(name))) continue;
      if (scopes.length > 0 && owners.every(({ grantScopes }) => !grantScopes))
        expected.set(`${type.name}.${field.name}`, scopes);
    }
  }
  expect(new Set(direct.keys())).toEqual(new Set(expected.keys()));
  for (const [name, maps] of direct) expect(new Set(maps), name).toEqual(new Set(expected.get(name)));
  expect(direct.size).toBeGreaterThan(300);
  expect([...direct.keys()]).toContain('Query.receiptStatusReport');
});
