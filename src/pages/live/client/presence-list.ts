import { latestFirst, type Person } from '../person.ts';

/** What `livePresence` tells. */
export interface PresenceUpdate {
  readonly kind: 'joined' | 'changed' | 'left';
  readonly person: Person;
}

/** Who is live, as far as this page has been told. Everybody is in it once. */
export interface PresenceList {
  /** A stream begins: it tells anew of everybody who is live. Until it has, those who are known stay. */
  begin(): void;
  /** Takes what the stream tells; `came` and `left` say what is news to this page. */
  take(told: PresenceUpdate): 'came' | 'changed' | 'left' | null;
  /** The stream has told of everybody: who is known and was not told of left while nobody listened. Answers them. */
  settle(): Person[];
  /** Those who came last, at most `most`. */
  latest(most: number): Person[];
  size(): number;
}

/** Makes the crowd of a page, with those that it knows of already. */
export function createPresenceList(): PresenceList {
  const known = new Map<string, Person>();
  const told = new Set<string>();
  return {
    begin: () => told.clear(),
    take({ kind, person }) {
      const before = known.get(person.wallet);
      if (kind === 'left') {
        told.delete(person.wallet);
        return known.delete(person.wallet) ? 'left' : null;
      }
      told.add(person.wallet);
      known.set(person.wallet, person);
      if (!before) return 'came';
      return JSON.stringify(before) === JSON.stringify(person) ? null : 'changed';
    },
    settle() {
      const gone = [...known.values()].filter(({ wallet }) => !told.has(wallet));
      for (const { wallet } of gone) known.delete(wallet);
      return gone;
    },
    latest: (most) => [...known.values()].sort(latestFirst).slice(0, most),
    size: () => known.size,
  };
}
