import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../gates/sources.ts';

/**
 * What a server runs from. `node_modules` is linked, so packages that only the version before needs stay in
 * `devDependencies` (`proper-lockfile`, `pg-boss`).
 */
const PARTS = ['src', 'migrations', 'package.json', 'schema.graphql', 'openapi.json'];

/** Two successive versions, by the file that runs their commands. */
export interface Versions {
  readonly before: string;
  /** Where `before` comes from. */
  readonly source: string;
  /** This version with one migration more. */
  readonly after: string;
  remove(): void;
}

const ADDED = 'Migration20991231000000_upgrade_test';

/** A new column, its values and its index, as docs/run/upgrades.md tells contributors to write them. */
const addedMigration = `import { OnlineMigration } from '#migration';
export class ${ADDED} extends OnlineMigration {
  override name = '${ADDED}';
  override async up(): Promise<void> {
    await this.execute('alter table receipts add column if not exists upgrade_test text null');
    await this.inBatches(\`update receipts r set upgrade_test = r.id from (
      select merchant, id from receipts where upgrade_test is null and created_at < \${Date.now()} limit 2000) o
      where r.merchant = o.merchant and r.id = o.id\`);
    await this.createIndex('receipts_upgrade_test', 'on receipts (merchant, upgrade_test)');
  }
}
`;

/**
 * The version before the newest migration, from the history of the checkout, and this version with one migration more.
 * A checkout without that history (a shallow clone, an archive) has only this version: it is the one before then.
 */
export function makeVersions({ history = true } = {}): Versions {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-versions-'));
  const after = join(folder, 'after');
  for (const part of PARTS) cpSync(join(root, part), join(after, part), { recursive: true });
  writeFileSync(join(after, 'migrations', `${ADDED}.ts`), addedMigration);
  symlinkSync(join(root, 'node_modules'), join(after, 'node_modules'));
  const commit = history ? commitBefore() : null;
  const before = commit === null ? root : join(folder, 'before');
  if (commit !== null) {
    mkdirSync(before);
    const archive = execFileSync('git', ['archive', commit, ...PARTS], { cwd: root, maxBuffer: 1e9 });
    execFileSync('tar', ['-x', '-C', before], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(before, 'node_modules'));
  }
  const command = (tree: string) => join(tree, dirname(commandOf(tree)), 'main.ts');
  return {
    before: command(before),
    source: commit ?? 'this checkout, which has no history before its newest migration',
    after: command(after),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file that `quittance` runs, in the tree of any version. */
const commandOf = (tree: string): string => JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')).bin.quittance;

/** The commit before the one that added the newest migration; null if the checkout does not have it. */
function commitBefore(): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations');
    return git('rev-parse', '--verify', '--quiet', `${added}^`);
  } catch {
    return null;
  }
}
