import { type Config, examineConfig } from '../platform/config/config.ts';
import type { variables } from '../platform/config/variables.ts';
import { checkChain } from './doctor-chain.ts';
import { checkChoices, checkEqualSecrets, checkSpelling } from './doctor-choices.ts';
import { checkDatabase } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';
import { checkPooler, checkReadUrl, checkSessionUrl } from './doctor-further-databases.ts';
import { checkMigrations } from './doctor-migrations.ts';
import { checkAddress, checkDisk, checkFlock, checkQuarantine, checkRecipient, checkRedis } from './doctor-places.ts';
import { checkPorts } from './doctor-ports.ts';
import { checkRates } from './doctor-rates.ts';
import { checkSecrets } from './doctor-secrets.ts';
import { print } from './print.ts';

const LABELS = { ok: 'ok     ', note: 'note   ', wrong: 'WRONG  ' } as const;

/**
 * `quittance doctor`: checks the configuration and its surroundings, and prints what is wrong and how to fix it. It
 * changes nothing and starts nothing. Exits with 1 if anything is wrong.
 */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine(process.env);
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  print({ ok: wrong === 0, findings }, json, [
    ...findings.flatMap(({ check, state, found, fix }) => [
      `${LABELS[state]} ${check}: ${found}`,
      ...(fix === null ? [] : [`         ${fix}`]),
    ]),
    wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found something wrong.`,
  ]);
  if (wrong > 0) process.exitCode = 1;
}

/** Checks every chain of the configuration. */
const checkChains = async (config: Config): Promise<Finding[]> =>
  (await Promise.all([config, ...config.furtherChains].map((chain) => checkChain({ ...config, ...chain })))).flat();

/** A check, and the variables whose faults leave nothing for it to look at. */
type Check = readonly [
  check: (config: Config) => Finding[] | Promise<Finding[]>,
  of?: readonly (keyof typeof variables)[],
];

const ofChains = ['CHAIN_ID', 'CHAINS', 'RPC_URL', 'RPC_FALLBACK_URL', 'TOKENS'] as const;

/** Everything that is checked beside the values of variables, in the order in which it is printed. */
const CHECKS: readonly Check[] = [
  [(config) => checkDatabase(config.databaseUrl), ['DATABASE_URL']],
  [checkMigrations, ['DATABASE_URL']],
  [checkSecrets, ['DATABASE_URL', 'KEY_ENCRYPTION_KEY', 'KEY_ENCRYPTION_KEY_PREVIOUS']],
  [checkPooler, ['DATABASE_URL', 'DATABASE_POOLER']],
  [checkSessionUrl, ['DATABASE_URL', 'DATABASE_SESSION_URL']],
  [checkReadUrl, ['DATABASE_URL', 'DATABASE_READ_URL']],
  [checkChains, ofChains],
  [checkRates, [...ofChains, 'FX_SOURCE', 'FX_FEEDS', 'FX_RATES', 'FX_ECB_URL']],
  [checkRedis, ['REDIS_URL']],
  [checkFlock],
  [checkDisk, ['DATA_DIR']],
  [checkQuarantine, ['DATA_DIR']],
  [checkPorts, ['PORT', 'HOST', 'METRICS_PORT', 'METRICS_HOST', 'TLS_CERT_FILE', 'TLS_KEY_FILE']],
  [checkAddress, ['BASE_URL', 'NODE_ENV']],
  [checkRecipient, ['PLATFORM_RECIPIENT', 'CHAIN_ID', 'CHAINS']],
  [checkChoices, [...ofChains, 'EDGE_SECRET', 'SETTLEMENT_PRIVATE_KEY', 'PLATFORM_ADMINS']],
  [checkEqualSecrets],
];

/**
 * Examines an environment and its surroundings: the faults of the configuration that stop a start, and then everything
 * that does not depend on a variable with a fault.
 */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const { config, faults } = examineConfig(environment);
  const fix = 'Correct the variable; docs/run/configuration.md describes each.';
  const found = 'every variable has a valid value';
  const configuration: readonly Finding[] =
    faults.length === 0
      ? [{ check: 'configuration', state: 'ok', found, fix: null }]
      : faults.map((line) => ({ check: 'configuration', state: 'wrong', found: line, fix }));
  const faulty = new Set(faults.map((line) => line.slice(0, line.indexOf(':'))));
  const possible = CHECKS.filter(([, of = []]) => !of.some((name) => faulty.has(name)));
  const parts = await Promise.all(possible.map(([check]) => check(config)));
  return [...configuration, ...checkSpelling(environment), ...parts.flat()];
}
