import { readFileSync } from 'node:fs';
import { isRunning, markProcess, type ProcessMark } from '../../base/platform/embedded/process.ts';

const pollMs = 500;
/** The depth of the process tree: this process, a shell and npm. */
const maxDepth = 4;

/**
 * Calls `onGone` once the npm process that runs this command has ended: npm does not stop the command when it is killed
 * itself. Does nothing without npm. Returns a function that stops watching.
 */
export function watchNpm(onGone: () => void): () => void {
  const npm = process.env.npm_command === undefined ? undefined : findNpm();
  if (!npm) return () => {};
  const timer = setInterval(() => {
    if (!isRunning(npm)) onGone();
  }, pollMs);
  return () => clearInterval(timer);
}

function findNpm(): ProcessMark | undefined {
  let pid = process.ppid;
  for (let depth = 0; depth < maxDepth && pid > 1; depth++) {
    const { name, parent } = describe(pid);
    if (/^np[mx]\b/.test(name)) return markProcess(pid);
    pid = parent;
  }
  return undefined;
}

/** A process's name (set by npm: "npm exec quittance …") and its parent's process id. */
function describe(pid: number): { name: string; parent: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent: Number(parent) };
  } catch {
    return { name: '', parent: 0 };
  }
}
