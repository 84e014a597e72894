import type { ComponentChildren } from 'preact';
import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { ENDED_WORD, progressOf, stateWord } from '../../shared/status.ts';

type Tone = 'plain' | 'mark' | 'warn' | 'bad' | 'muted';

/** A state in a word, with a dot in its colour; an open ring is not decided yet. */
export function Status({
  tone,
  open,
  children,
}: {
  readonly tone: Tone;
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  return <span class={`status tone-${tone}${open ? ' open' : ''}`}>{children}</span>;
}

interface ReceiptStatusMarkProps {
  readonly status: ReceiptStatus;
  /** When it was paid or ended; null while it waits. */
  readonly closedAt?: number | null;
}

/** The status of a receipt. */
export function ReceiptStatusMark({ status, closedAt = null }: ReceiptStatusMarkProps) {
  const word = stateWord(status, closedAt);
  const { tone } = progressOf(status);
  return (
    <Status tone={word === ENDED_WORD ? 'muted' : tone} open={tone === 'plain'}>
      {word}
    </Status>
  );
}
