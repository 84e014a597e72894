import { useState } from 'preact/hooks';
import { writeClipboard } from '../../client/clipboard.ts';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  /** The text to copy. */
  readonly text: string;
  readonly kind?: 'primary' | 'quiet' | 'plain';
  /** What the button says. */
  readonly children: string;
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, kind, children }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const run = async () => {
    const dialog = document.querySelector('dialog[open]') ?? undefined;
    setState((await writeClipboard(text, dialog)) ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), SHOWN_MS);
  };
  return (
    <>
      <Button kind={kind} onClick={() => void run()}>
        <Icon name={state === 'copied' ? 'check' : 'copy'} />
        {state === 'idle' ? children : words.copy[state]}
      </Button>
      <span class="unseen" role="status">
        {state === 'idle' ? '' : words.copy[state]}
      </span>
    </>
  );
}
