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
    mutate: ['src/core/money.ts', 'src/core/amount.ts', 'src/core/shares.ts', 'src/core/rates.ts'],
    tests: ['src/core/{money,amount,shares,rates}.test.ts'],
  },
  lifecycles: {
    mutate: ['src/**/lifecycle.ts'],
    tests: ['src/core/lifecycle.test.ts', 'test/contract/lifecycles.test.ts'],
  },
  matching: {
    mutate: ['src/payments/core/*.ts', '!src/payments/core/*.test.ts'],
    tests: ['src/payments/core/*.test.ts'],
  },
  signatures: {
    mutate: ['src/webhooks/sign.ts', 'src/gateway/tokens.ts'],
    tests: ['src/webhooks/sign.test.ts', 'src/gateway/tokens.test.ts'],
  },
  authorization: {
    // The sentences of roles and permissions are prose.
    mutate: [
      ...['src/core/caller.ts', 'src/core/roles.ts:41-77', 'src/graphql/held-guards.ts', 'src/graphql/rights.ts'],
      ...[
        'src/gateway/csrf.ts',
        'src/gateway/identity-headers.ts',
        'src/gateway/cron-secret.ts',
        'src/gateway/edge.ts',
      ],
    ],
    tests: ['src/core/{access,caller}.test.ts', 'src/graphql/held-guards.test.ts', 'src/gateway/proofs.test.ts'],
  },
  idempotency: {
    mutate: ['src/platform/idempotency.ts'],
    tests: ['src/platform/idempotency.test.ts'],
    needsServices: true,
  },
  journal: {
    mutate: ['src/platform/journal.ts'],
    tests: ['src/platform/journal.test.ts'],
  },
};
