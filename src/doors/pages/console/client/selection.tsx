import { useState } from 'preact/hooks';
import type { Operation } from '../../client/graphql.ts';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { ConfirmWrite } from './confirm-write.tsx';

/** Rows that were chosen for an action, by id with their names. */
export interface Selection {
  readonly rows: ReadonlyMap<string, string>;
  set(rows: ReadonlyMap<string, string>): void;
}

/** No row is chosen at first. */
export function useSelection(): Selection {
  const [rows, set] = useState<ReadonlyMap<string, string>>(new Map());
  return { rows, set };
}

interface SelectRowProps {
  readonly selection: Selection;
  readonly id: string;
  readonly name: string;
}

/** The box that chooses a row. */
export function SelectRow({ selection: { rows, set }, id, name }: SelectRowProps) {
  const toggle = () => {
    const next = new Map(rows);
    if (!next.delete(id)) next.set(id, name);
    set(next);
  };
  return (
    <label class="check select-row">
      <input type="checkbox" checked={rows.has(id)} onChange={toggle} />
      <span class="unseen">{words.selection.choose({ name })}</span>
    </label>
  );
}

interface Outcome {
  readonly id: string;
  readonly message: string | null;
}

interface ForSelectedProps<Data> {
  readonly selection: Selection;
  readonly write: Operation<Data, { ids: string[] }>;
  readonly outcomes: (data: Data) => readonly Outcome[] | null;
  /** The action of so many rows. */
  readonly action: (count: number) => string;
  /** What it does, in words. */
  readonly text: string;
  readonly kind?: 'primary' | 'danger';
}

/** One action on all chosen rows, which asks before. What is refused is named, and stays chosen. */
export function ForSelected<Data>({ selection, write, outcomes, action, text, kind }: ForSelectedProps<Data>) {
  const { rows, set } = selection;
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  if (rows.size === 0) return null;
  const done = (data: Data) => {
    const failed = (outcomes(data) ?? []).flatMap(({ id, message }) => (message === null ? [] : [{ id, message }]));
    setRefused(failed.map(({ id, message }) => `${rows.get(id)}: ${message}`));
    set(new Map(failed.map(({ id }) => [id, rows.get(id) ?? id])));
    setAsking(false);
  };
  return (
    <section class="selection" aria-label={words.selection.title}>
      {refused.length > 0 && (
        <ul class="note notice" role="alert">
          {refused.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <Button kind={kind} onClick={() => setAsking(true)}>
        {action(rows.size)}
      </Button>
      <Button kind="plain" onClick={() => set(new Map())}>
        {words.selection.none}
      </Button>
      <ConfirmWrite
        open={asking}
        title={action(rows.size)}
        action={action(rows.size)}
        kind={kind}
        write={write}
        variables={{ ids: [...rows.keys()] }}
        onDone={done}
        onClose={() => setAsking(false)}
      >
        <p>{text}</p>
      </ConfirmWrite>
    </section>
  );
}
