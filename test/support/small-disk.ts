import { spawn } from 'node:child_process';
import { once } from 'node:events';

const NAMESPACE = ['unshare', '--user', '--map-root-user', '--mount'];

/** Whether this user may mount a file system in a namespace of its own. */
export async function mayMount(): Promise<boolean> {
  const [file, ...args] = [...NAMESPACE, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'];
  const tried = spawn(file!, args, { stdio: 'ignore' });
  return await Promise.race([once(tried, 'exit').then(([code]) => code === 0), once(tried, 'error').then(() => false)]);
}

/**
 * The command that runs another one with a folder on a file system of this size (`24k`), which goes with the process.
 *
 * @param first a shell command to run before it
 */
export const onSmallDisk = (folder: string, size: string, command: readonly string[], first = ':'): string[] => [
  ...[...NAMESPACE, 'sh', '-c', `mount -t tmpfs -o size=${size} tmpfs ${folder} && ${first} && exec "$@"`],
  ...['sh', ...command],
];
