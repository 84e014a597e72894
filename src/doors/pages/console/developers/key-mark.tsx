import { Status } from '../client/status.tsx';
import type { KeyRowFragment } from '../generated/developers.ts';
import { words } from '../shared/words.ts';

/** Whether a key works, and until when if it has been replaced. */
export function KeyMark({ developerKey: { state, replacedBy } }: { readonly developerKey: KeyRowFragment }) {
  if (state !== 'active') return <Status tone="muted">{words.developers.states[state]}</Status>;
  return replacedBy === null ? (
    <Status tone="mark">{words.developers.states.active}</Status>
  ) : (
    <Status tone="warn">{words.developers.replaced}</Status>
  );
}
