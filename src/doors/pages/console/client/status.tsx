import type { ComponentChildren } from 'preact';
import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { progressOf } from '../../shared/status.ts';
import { words } from '../shared/words.ts';

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

/** A request that has ended without money: it is nothing that failed. */
const hasEnded = (status: ReceiptStatus, closedAt: number | null): boolean => status === 'failed' && closedAt !== null;

/** The word for where a receipt stands. `closedAt` is when it was paid or ended. */
export const stateWord = (status: ReceiptStatus, closedAt: number | null): string =>
  hasEnded(status, closedAt) ? words.endedStatus : words.statuses[status];

/** The status of a receipt. */
export function ReceiptStatusMark({ status, closedAt = null }: ReceiptStatusMarkProps) {
  const { tone } = progressOf(status);
  return (
    <Status tone={hasEnded(status, closedAt) ? 'muted' : tone} open={tone === 'plain'}>
      {stateWord(status, closedAt)}
    </Status>
  );
}
