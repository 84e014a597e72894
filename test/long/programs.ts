/** A program that takes minutes to hours, so that no other script runs it. */
export interface LongProgram {
  /** One sentence: what it shows. */
  readonly shows: string;
  /** The files and options of vitest, or a program that reads its arguments itself. */
  readonly run: { readonly vitest: readonly string[] } | { readonly node: string };
  /** What the environment has unless it already has the variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options, and the variables that they set. */
  readonly options?: Readonly<Record<string, string>>;
}

/** The programs of `npm run long -- NAME`. docs/contribute/reliability.md and docs/run have their figures. */
export const PROGRAMS: Readonly<Record<string, LongProgram>> = {
  faults: {
    shows: 'No order or payment is lost while processes are killed and connections are cut.',
    run: { vitest: ['test/faults/faults.test.ts'] },
    env: { FAULT_ROUNDS: '20', FAULT_SEED: '1' },
    options: { rounds: 'FAULT_ROUNDS', seed: 'FAULT_SEED', only: 'FAULT_ONLY' },
  },
  rails: {
    shows: 'Payments on five rails and two chains add up while processes are killed and blocks are replaced.',
    run: { vitest: ['test/rails/rails.test.ts'] },
    env: { RAIL_PAYMENTS: '1000', RAIL_SEED: '1' },
    options: { payments: 'RAIL_PAYMENTS', seed: 'RAIL_SEED' },
  },
  mail: {
    shows: 'Every paid receipt has its e-mail while the worker and the SMTP server are killed.',
    run: { vitest: ['test/system/durability/mail.test.ts'] },
    env: { MAIL_RECEIPTS: '10000', MAIL_SEED: '41' },
    options: { receipts: 'MAIL_RECEIPTS', seed: 'MAIL_SEED' },
  },
  simulate: {
    shows: 'Lives of receipts, played from a seed, follow the model step by step (--lives, --seed, --stored).',
    run: { node: 'test/simulation/main.ts' },
  },
  fuzz: {
    shows: 'Generated requests get coded errors and harm no server process.',
    run: { vitest: ['test/fuzz/fuzz.test.ts'] },
    env: { FUZZ_REQUESTS: '20000', FUZZ_SEED: '1' },
    options: { requests: 'FUZZ_REQUESTS', seed: 'FUZZ_SEED' },
  },
  soak: {
    shows: 'Memory, descriptors, timers, connections and processor time per request stay level under load for hours.',
    run: { vitest: ['test/soak/soak.test.ts'] },
    env: { SOAK_MINUTES: '120' },
    options: { minutes: 'SOAK_MINUTES' },
  },
  mutation: {
    shows: 'The unit tests of an area notice changes of its code (names of areas as arguments; default: all).',
    run: { node: 'test/mutation/main.ts' },
  },
  journeys: {
    shows: 'So many files and functions run for an order, a payment and a list.',
    run: { vitest: ['test/system/journeys.test.ts'] },
  },
  cluster: {
    shows: 'Events and rate limits survive the loss of a node of a Redis Cluster.',
    run: { vitest: ['test/live/cluster.test.ts'] },
  },
  ha: {
    shows: 'Orders go on after the primary of PostgreSQL is killed, frozen or cut off.',
    run: { vitest: ['test/system/operations/failover.test.ts'] },
    env: { HA_ROUNDS: '10' },
    options: { rounds: 'HA_ROUNDS' },
  },
  upgrades: {
    shows: 'Each migration, and an upgrade under load, work on a database with a million receipts.',
    run: {
      vitest: [
        '--no-file-parallelism',
        'test/system/operations/rolling-upgrade.test.ts',
        'test/system/operations/each-migration.test.ts',
      ],
    },
    env: { UPGRADE_RECEIPTS: '1000000' },
    options: { receipts: 'UPGRADE_RECEIPTS' },
  },
  restore: {
    shows: 'A restored dump of 100,000 receipts continues where the backup ended.',
    run: { vitest: ['test/system/operations/restore.test.ts'] },
    env: { RESTORE_RECEIPTS: '100000' },
    options: { receipts: 'RESTORE_RECEIPTS' },
  },
  console: {
    shows: 'The pages and statements of the console stay fast with 100,000 receipts.',
    run: { vitest: ['test/browser/console/speed.test.ts', 'test/graphql/statements.test.ts'] },
    env: { CONSOLE_RECEIPTS: '100000' },
    options: { receipts: 'CONSOLE_RECEIPTS' },
  },
  search: {
    shows: 'Every search of a shop with 1,000,000 receipts reads indexes; prints its median and slowest times.',
    run: { vitest: ['--hookTimeout', '3600000', 'src/domain/reports/receipt-search/plans.test.ts'] },
    env: { SEARCH_RECEIPTS: '1000000', SEARCH_TIMES: '100' },
    options: { receipts: 'SEARCH_RECEIPTS', times: 'SEARCH_TIMES' },
  },
  charges: {
    shows: 'No subscription is charged twice while the charging process is killed fifty times.',
    run: { vitest: ['test/system/durability/charges.test.ts'] },
    env: { CHARGE_KILLS: '50' },
    options: { kills: 'CHARGE_KILLS' },
  },
};
