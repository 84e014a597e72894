import type { AnyVariables } from '@urql/preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Operation } from '../../client/graphql.ts';
import { words } from '../shared/words.ts';
import { useWrite } from './ask.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import { Input } from './field.tsx';

export interface ConfirmProps {
  readonly open: boolean;
  readonly title: string;
  /** What will happen, in words. */
  readonly children: ComponentChildren;
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly problem: string | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before a write, and says what it will do. */
export function Confirm({
  open,
  title,
  children,
  action,
  kind = 'primary',
  busy,
  problem,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <div class="prose">{children}</div>
      <ErrorNote problem={problem} />
      <div class="dialog-actions">
        <Button kind="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button kind={kind} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

interface ConfirmWriteProps<Data, Variables> extends Omit<ConfirmProps, 'busy' | 'problem' | 'onConfirm'> {
  readonly write: Operation<Data, Variables>;
  readonly variables: Variables;
  /** What the user decides on is still being read. */
  readonly waits?: boolean;
  /** Called after the write in place of `onClose`. */
  readonly onDone?: (data: Data) => void;
}

/** Asks before a write, and sends it. */
export function ConfirmWrite<Data, Variables extends AnyVariables>(props: ConfirmWriteProps<Data, Variables>) {
  const { write, variables, waits = false, onDone, onClose, ...confirm } = props;
  const { busy, problem, send, clear } = useWrite(write);
  const run = async () => {
    const data = await send(variables);
    if (data !== null) (onDone ?? onClose)(data);
  };
  return (
    <Confirm
      {...confirm}
      busy={busy || waits}
      problem={problem}
      onConfirm={() => void run()}
      onClose={() => {
        clear();
        onClose();
      }}
    />
  );
}

interface ReasonDialogProps {
  readonly title: string;
  readonly action: string;
  readonly busy: boolean;
  readonly problem: string | null;
  /** Called with the reason, which is not empty. */
  readonly onConfirm: (reason: string) => void;
  readonly onClose: () => void;
  /** What will happen, and what else is asked. */
  readonly children: ComponentChildren;
}

/** Asks before a write that needs a reason, which the audit log keeps. */
export function ReasonDialog({ onConfirm, children, ...confirm }: ReasonDialogProps) {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const reason = text.trim();
  return (
    <Confirm
      {...confirm}
      open
      kind="danger"
      onConfirm={() => {
        setTried(true);
        if (reason) onConfirm(reason);
      }}
    >
      {children}
      <Input
        label={words.reason.label}
        hint={words.reason.hint}
        value={text}
        problem={tried && !reason ? words.reason.needed : null}
        onInput={setText}
      />
    </Confirm>
  );
}
