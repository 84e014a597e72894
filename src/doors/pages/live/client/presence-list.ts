import type { PresenceKind } from '../../generated/live.ts';
import { latestFirst, type Person } from '../person.ts';

/** An event of `livePresence`. */
export interface PresenceUpdate {
  readonly kind: PresenceKind;
  readonly person: Person;
}

/** The live people that this page knows of, each once. */
export interface PresenceList {
  /** A stream begins and sends all live people again. Known people stay until it has. */
  begin(): void;
  /** Applies an event. `came` and `left` are changes of the list; null means no change. */
  apply(update: PresenceUpdate): 'came' | 'changed' | 'left' | null;
  /** The initial list is complete: removes known people that were not in it, and returns them. */
  settle(): Person[];
  /** The most recent people, at most `most`. */
  latest(most: number): Person[];
  size(): number;
}

/** Creates the list of a page with the people that it shows already. */
export function createPresenceList(): PresenceList {
  const known = new Map<string, Person>();
  const seen = new Set<string>();
  return {
    begin: () => seen.clear(),
    apply({ kind, person }) {
      const before = known.get(person.wallet);
      if (kind === 'left') {
        seen.delete(person.wallet);
        return known.delete(person.wallet) ? 'left' : null;
      }
      seen.add(person.wallet);
      known.set(person.wallet, person);
      if (!before) return 'came';
      return JSON.stringify(before) === JSON.stringify(person) ? null : 'changed';
    },
    settle() {
      const gone = [...known.values()].filter(({ wallet }) => !seen.has(wallet));
      for (const { wallet } of gone) known.delete(wallet);
      return gone;
    },
    latest: (most) => [...known.values()].sort(latestFirst).slice(0, most),
    size: () => known.size,
  };
}
