import { type ExecutionResult, type GraphQLSchema, graphql } from 'graphql';
import type { Caller } from '../../../../base/core/caller.ts';
import type { Scope } from '../../../../base/core/scopes.ts';
import type { Wallet } from '../../../../base/core/wallet.ts';
import { type Context, createContext, noRequest } from '../../../../base/graphql/context.ts';
import { toRefusal } from '../../../../base/graphql/errors.ts';
import type { Deps } from '../../../../base/platform/deps.ts';
import type { TestDeps } from './deps.ts';

export const developer = (merchant: Wallet, ...scopes: Scope[]): Caller => ({
  kind: 'developer',
  merchant,
  keyId: 'key',
  scopes: new Set(scopes),
  unlimited: true,
  limits: null,
});

/** The session of a merchant's own wallet. */
export const admin = (merchant: Wallet, csrfProven = true): Caller => ({
  kind: 'session',
  sessionId: 'session',
  wallet: merchant,
  merchant,
  role: 'owner',
  confirmedAt: Number.MAX_SAFE_INTEGER,
  platformAdmin: false,
  csrfProven,
});

export const buyer = (merchant: Wallet): Caller => ({ kind: 'buyer', merchant, receiptId: 'R-1' });

/** Runs operations against a schema as a caller. Returns the data, or the code of the first error. */
export function asker(schema: GraphQLSchema, deps: TestDeps) {
  return async (caller: Caller, source: string, variableValues: Record<string, unknown> = {}, host = 'localhost') => {
    const contextValue: Context = createContext(deps as TestDeps & Deps, caller, noRequest(host, 'test'));
    const { data, errors }: ExecutionResult = await graphql({ schema, source, contextValue, variableValues });
    if (errors?.[0]) {
      const { code, message } = toRefusal(errors[0], deps.log);
      return { code, message };
    }
    return data as Record<string, never>;
  };
}
