import { type Config, readConfig } from '../platform/config/config.ts';
import { ConfigFaults } from '../platform/config/faults.ts';
import { checkChain } from './doctor-chain.ts';
import { checkDatabase } from './doctor-database.ts';
import type { Finding } from './doctor-finding.ts';
import { checkPooler, checkReadUrl, checkSessionUrl } from './doctor-further-databases.ts';
import { checkMigrations } from './doctor-migrations.ts';
import { checkAddress, checkDisk, checkFlock, checkQuarantine, checkRecipient, checkRedis } from './doctor-places.ts';
import { checkSecrets } from './doctor-secrets.ts';
import { print } from './print.ts';

const LABELS = { ok: 'ok     ', note: 'note   ', wrong: 'WRONG  ' } as const;

/**
 * `quittance doctor`: checks the configuration and its surroundings, and prints what is wrong and how to fix it. It
 * changes nothing and starts nothing. Exits with 1 if anything is wrong.
 */
export async function doctor({ json }: { json?: boolean }): Promise<void> {
  const findings = await examine();
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

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    const fix = 'Correct the variable; docs/configuration.md describes each.';
    return error.lines.map((found) => ({ check: 'configuration', state: 'wrong' as const, found, fix }));
  }
  const found = 'every variable has a valid value';
  const parts = await Promise.all([
    checkDatabase(config.databaseUrl),
    checkMigrations(config),
    checkSecrets(config),
    checkPooler(config),
    checkSessionUrl(config),
    checkReadUrl(config),
    ...[config, ...config.furtherChains].map((chain) => checkChain({ ...config, ...chain })),
    checkRedis(config),
    checkFlock(),
    checkDisk(config),
    checkQuarantine(config),
    checkAddress(config),
    checkRecipient(config),
  ]);
  return [{ check: 'configuration', state: 'ok', found, fix: null }, ...parts.flat()];
}
