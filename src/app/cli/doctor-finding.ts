/** What a check has found. `note`: it works, but could be better. `wrong`: the server does not work with it. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'note' | 'wrong';
  readonly found: string;
  /** What to do; null if nothing. */
  readonly fix: string | null;
}
