/** Code that must not be wrong, and the unit tests that show it. */
export interface Area {
  /** The files that are changed: glob patterns, relative to the project. */
  readonly mutate: readonly string[];
  /** The test files that should notice. They need no database and no chain. */
  readonly tests: readonly string[];
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
};
