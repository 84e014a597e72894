import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { environmentOf, unpackDebian } from './debian.ts';

/** Debian's packages: what Patroni needs of Python is named, because only libraries are found by themselves. */
const PACKAGES = [
  ...['patroni', 'etcd-server', 'haproxy', 'postgresql-15', 'postgresql-client-15'],
  ...['python3.11-minimal', 'libpython3.11-minimal', 'libpython3.11-stdlib', 'python3-pkg-resources'],
  ...['python3-etcd', 'python3-dnspython', 'python3-psycopg2', 'python3-psutil', 'python3-yaml', 'python3-urllib3'],
  ...['python3-six', 'python3-dateutil', 'python3-click', 'python3-prettytable', 'python3-wcwidth', 'python3-cdiff'],
  ...['libopentracing1', 'libsasl2-2', 'libcrypt1', 'zlib1g'],
];

/** Patroni with its Python, PostgreSQL, etcd and HAProxy. */
export interface HighAvailabilityPrograms {
  /** The command of Patroni, without its configuration. */
  readonly patroni: readonly string[];
  /** The folder of PostgreSQL's programs. */
  readonly bin: string;
  readonly etcd: string;
  readonly haproxy: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Unpacks Debian's packages, so that all of a cluster has known versions. `folder` is one that every user can read: the
 * programs are copied there, because the cache may be closed to the user of the servers. Throws with what helps.
 */
export function findHighAvailability(folder: string): HighAvailabilityPrograms {
  const root = join(folder, 'programs');
  if (!existsSync(root)) copy(unpack(), root);
  const [usr, cache] = [join(root, 'usr'), join(folder, 'python')];
  const packages = join(usr, 'lib/python3/dist-packages');
  return {
    patroni: [join(usr, 'bin/python3.11'), '-m', 'patroni'],
    bin: join(usr, 'lib/postgresql/15/bin'),
    etcd: join(usr, 'bin/etcd'),
    haproxy: join(usr, 'sbin/haproxy'),
    env: { ...environmentOf(root), PYTHONHOME: usr, PYTHONPATH: packages, PYTHONPYCACHEPREFIX: cache },
  };
}

function unpack(): string {
  try {
    return unpackDebian('high-availability', PACKAGES);
  } catch (error) {
    throw new Error('the tests of high availability need Debian 12, whose packages they unpack', { cause: error });
  }
}

function copy(source: string, target: string): void {
  try {
    execFileSync('cp', ['-al', source, target], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', source, target]);
  }
}
