import type { ComponentChildren } from 'preact';
import type { ReceiptStatus } from '../../../../domain/sales/receipts/lifecycle.ts';
import { progressOf, STATUS_WORDS } from '../../shared/status.ts';

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

/** The status of a receipt. */
export function ReceiptStatusMark({ status }: { readonly status: ReceiptStatus }) {
  const { tone } = progressOf(status);
  return (
    <Status tone={tone} open={tone === 'plain'}>
      {STATUS_WORDS[status]}
    </Status>
  );
}
