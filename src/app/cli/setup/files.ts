import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigFaults } from '../../../base/platform/config/faults.ts';
import { projectDir } from '../../../base/platform/files/project-dir.ts';
import type { Answers, Environments } from './environment.ts';

/** The files of an installation. Each is for its owner alone. */
interface Files {
  /** What servers and workers read. */
  readonly server: string;
  /** What the proxy reads, and with Compose all other services. */
  readonly around: string;
}

const FOLDERS = { systemd: '/etc/quittance', compose: join(projectDir, 'docs/operations/deploy') } as const;
const AROUND = { systemd: 'caddy.env', compose: '.env' } as const;

/** Where the files of an installation are. */
export const filesOf = (kind: Answers['for'], folder: string = FOLDERS[kind]): Files => ({
  server: join(folder, 'quittance.env'),
  around: join(folder, AROUND[kind]),
});

/** Refuses to replace a file: it may hold the only copy of a key. */
export function refuseExisting({ server, around }: Files): void {
  const existing = [server, around].filter((path) => existsSync(path));
  if (existing.length > 0)
    throw new ConfigFaults(existing.map((path) => `${path}: is there already (--force keeps it under another name)`));
}

/**
 * Writes the files with mode 0600. A file that is there is kept under another name, because a key in it may be needed.
 * Returns those names.
 */
export function writeFiles({ server, around }: Files, environments: Environments): string[] {
  mkdirSync(join(server, '..'), { recursive: true });
  const pairs = [[server, environments.server] as const, [around, environments.around] as const];
  const texts = pairs.map(([path, environment]) => [path, textOf(environment)] as const);
  return texts.flatMap(([path, text]) => {
    const kept = existsSync(path) ? [`${path}.${new Date().toISOString().replaceAll(':', '')}`] : [];
    for (const name of kept) renameSync(path, name);
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return kept;
  });
}

/**
 * An environment as systemd and Compose read it alike: in single quotes nothing has a meaning but the quote itself.
 * Throws `ConfigFaults` with a value that neither can hold.
 */
export function textOf(environment: Readonly<Record<string, string>>): string {
  const lines = Object.entries(environment).map(([name, value]) => {
    if (/['\n\r]/.test(value)) throw new ConfigFaults([`${name}: must have no single quote and no line break`]);
    return `${name}=${/^[\w@%+:,./=?&-]*$/.test(value) ? value : `'${value}'`}`;
  });
  return `# Made by \`quittance setup\`. Keep a copy of the keys apart from this machine.\n${lines.join('\n')}\n`;
}
