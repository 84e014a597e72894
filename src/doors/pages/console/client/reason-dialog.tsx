import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../shared/words.ts';
import { Confirm } from './confirm.tsx';
import { Input } from './field.tsx';

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
