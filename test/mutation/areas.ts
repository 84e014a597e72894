/** Code that must not be wrong, and the unit tests that show it. */
export interface Area {
  /** The files that are changed: glob patterns, relative to the project. */
  readonly mutate: readonly string[];
  /** The test files that should notice. They need no database and no chain unless `needsServices` says so. */
  readonly tests: readonly string[];
  /** PostgreSQL, Redis and a chain are started for the tests. */
  readonly needsServices?: true;
}

export const AREAS: Readonly<Record<string, Area>> = {
  money: {
    mutate: ['src/base/core/money.ts', 'src/base/core/amount.ts', 'src/base/core/shares.ts', 'src/base/core/rates.ts'],
    tests: ['src/base/core/{money,amount,shares,rates}.test.ts'],
  },
  lifecycles: {
    mutate: ['src/**/lifecycle.ts'],
    tests: ['src/base/core/lifecycle.test.ts', 'test/contract/lifecycles.test.ts'],
  },
  matching: {
    mutate: ['src/domain/payments/transfers/core/*.ts', '!src/domain/payments/transfers/core/*.test.ts'],
    tests: ['src/domain/payments/transfers/core/*.test.ts'],
  },
  signatures: {
    mutate: ['src/domain/webhooks/delivery/sign.ts', 'src/domain/access/gateway/tokens.ts'],
    tests: ['src/domain/webhooks/delivery/sign.test.ts', 'src/domain/access/gateway/tokens.test.ts'],
  },
  authorization: {
    // The sentences of roles and permissions are prose.
    mutate: [
      ...['src/base/core/caller.ts', 'src/base/core/roles.ts:41-77', 'src/base/graphql/rights.ts'],
      ...[
        'src/domain/access/gateway/csrf.ts',
        'src/domain/access/gateway/authenticate.ts:32-52',
        'src/domain/access/gateway/authenticate.ts:197-268',
        'src/domain/access/gateway/edge.ts',
      ],
    ],
    tests: [
      'src/base/core/{access,caller}.test.ts',
      'src/base/graphql/direct-guards.test.ts',
      'src/domain/access/gateway/proofs.test.ts',
    ],
  },
  idempotency: {
    mutate: ['src/base/platform/idempotency.ts'],
    tests: ['src/base/platform/idempotency.test.ts'],
    needsServices: true,
  },
  journal: {
    mutate: ['src/base/platform/journal.ts'],
    tests: ['src/base/platform/journal.test.ts'],
  },
};
