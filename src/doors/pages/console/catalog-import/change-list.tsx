import { useState } from 'preact/hooks';
import type { Change } from '../catalog/columns.ts';
import { Button } from '../client/button.tsx';
import { Rows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { words } from '../shared/words.ts';

/** The rows that are shown at first, and with each further click. */
const SHOWN = 100;

const TONES = { added: 'mark', changed: 'warn', wrong: 'bad', unchanged: 'muted' } as const;
const ORDER = Object.keys(TONES).reverse();

/** The rows of a file with what each would do: what is wrong comes first. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  const [shown, setShown] = useState(SHOWN);
  const rank = ({ kind }: Change) => (kind === 'wrong' ? -1 : ORDER.length - ORDER.indexOf(kind));
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b) || a.line - b.line);
  return (
    <>
      <Rows label={words.import.preview}>
        {sorted.slice(0, shown).map((change) => (
          <li key={change.line} class="row import-row">
            <span class="soft number">{words.import.line(change.line)}</span>
            <bdi class="cut">{change.name}</bdi>
            <span class="soft">
              {change.kind === 'wrong' && change.problem}
              {change.kind === 'changed' && change.columns.join(', ')}
            </span>
            <Status tone={TONES[change.kind]} open={change.kind === 'unchanged'}>
              {words.import.kinds[change.kind]}
            </Status>
          </li>
        ))}
      </Rows>
      {sorted.length > shown && (
        <div class="import-actions">
          <Button onClick={() => setShown(shown + SHOWN)}>{words.import.more(sorted.length - shown)}</Button>
        </div>
      )}
    </>
  );
}
