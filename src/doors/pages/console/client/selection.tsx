import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Operation } from '../../client/graphql.ts';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { ConfirmWrite } from './confirm.tsx';
import { refusalText } from './problem.ts';

interface Chosen {
  readonly name: string;
  /** Whether the action that changes rows is possible with this one. */
  readonly isOpen: boolean;
}

/** Rows that were chosen for an action, by id. */
export interface Selection {
  readonly rows: ReadonlyMap<string, Chosen>;
  set(rows: ReadonlyMap<string, Chosen>): void;
}

/** The most rows that can be chosen: as many as a filter of receipts may name. */
const MAX_ROWS = 100;

/** No row is chosen at first. */
export function useSelection(): Selection {
  const [rows, set] = useState<Selection['rows']>(new Map());
  return { rows, set };
}

interface SelectRowProps extends Pick<Chosen, 'name'> {
  readonly selection: Selection;
  readonly id: string;
  readonly isOpen?: boolean;
}

/** The box that chooses a row. */
export function SelectRow({ selection: { rows, set }, id, name, isOpen = true }: SelectRowProps) {
  const toggle = () => {
    const next = new Map(rows);
    if (!next.delete(id)) next.set(id, { name, isOpen });
    set(next);
  };
  return (
    <label class="check select-row">
      <input
        type="checkbox"
        checked={rows.has(id)}
        disabled={rows.size >= MAX_ROWS && !rows.has(id)}
        onChange={toggle}
      />
      <span class="unseen">{words.selection.choose({ name })}</span>
    </label>
  );
}

interface Outcome {
  readonly id: string;
  readonly error: string | null;
  readonly message: string | null;
  readonly reason: string | null;
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
  /** What else can be done with them. */
  readonly children?: ComponentChildren;
}

/**
 * One action on all chosen rows that it is possible with, which asks before. What is refused is named, and stays
 * chosen.
 */
export function ForSelected<Data>(props: ForSelectedProps<Data>) {
  const { selection, write, outcomes, action, text, kind, children } = props;
  const { rows, set } = selection;
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<readonly string[]>([]);
  if (rows.size === 0) return null;
  const open = [...rows].filter(([, { isOpen }]) => isOpen);
  const done = (data: Data) => {
    const failed = (outcomes(data) ?? []).flatMap(({ id, error, message, reason }) =>
      error === null ? [] : [{ id, problem: refusalText(error, message ?? '', { reason: reason ?? undefined }) }],
    );
    setRefused(failed.map(({ id, problem }) => `${rows.get(id)?.name}: ${problem}`));
    set(new Map([...rows].filter(([id, { isOpen }]) => !isOpen || failed.some((one) => one.id === id))));
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
      {children}
      {open.length > 0 && (
        <Button kind={kind} onClick={() => setAsking(true)}>
          {action(open.length)}
        </Button>
      )}
      <Button kind="plain" onClick={() => set(new Map())}>
        {words.selection.none}
      </Button>
      <ConfirmWrite
        open={asking}
        title={action(open.length)}
        action={action(open.length)}
        kind={kind}
        write={write}
        variables={{ ids: open.map(([id]) => id) }}
        onDone={done}
        onClose={() => setAsking(false)}
      >
        <p>{text}</p>
      </ConfirmWrite>
    </section>
  );
}
