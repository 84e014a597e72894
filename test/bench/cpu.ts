import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports CPU time to programs in hundredths of a second on every architecture that Node supports. */
const TICK_US = 10_000;

/** Positions in `/proc/PID/stat`, counted from the field after the command name. */
const FIELDS = { parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 } as const;

function statOf(pid: number | 'self'): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command name may contain spaces and parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const sum = (stat: readonly string[], ...fields: number[]): number =>
  fields.reduce((total, field) => total + Number(stat[field]), 0) * TICK_US;

/** The CPU time that a process has used, in microseconds. */
export const cpuOfProcess = (pid: number): number => sum(statOf(pid), FIELDS.user, FIELDS.system);

/** The CPU time of the ended children that this process has waited for, in microseconds. */
export const cpuOfEndedChildren = (): number => sum(statOf('self'), FIELDS.childrenUser, FIELDS.childrenSystem);

/** The CPU time of a process and all its children, running or ended, in microseconds (a PostgreSQL server). */
export function cpuOfFamily(pid: number): number {
  const own = sum(statOf(pid), FIELDS.user, FIELDS.system, FIELDS.childrenUser, FIELDS.childrenSystem);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((total, name) => {
      try {
        const stat = statOf(Number(name));
        return Number(stat[FIELDS.parent]) === pid ? total + sum(stat, FIELDS.user, FIELDS.system) : total;
      } catch {
        // The process has ended since the folder was read.
        return total;
      }
    }, own);
}
