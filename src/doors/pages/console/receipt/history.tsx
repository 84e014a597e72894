import { shortHash } from '../../shared/amounts.ts';
import { Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import type { ReceiptStoryFragment } from '../generated/receipt.ts';
import { words } from '../shared/words.ts';

type Row = ReceiptStoryFragment['history'][number];

/** What happened in a row of the history, in words. */
function happened({ kind, status, previousStatus, tracking, accepted }: Row): string {
  const { statuses, reports, notes } = words.history;
  if (accepted) return words.history.accepted;
  if (kind === 'status') return previousStatus === null ? words.history.created : statuses[status];
  const named = (kind === 'tracking' ? reports : notes)[tracking ?? ''];
  return named ?? (tracking ?? kind).replaceAll('_', ' ');
}

/** Who did it, in words. */
function who(actor: string, merchant: string): string {
  const { actors } = words.history;
  const [kind, name] = actor.split(':');
  if (kind === 'wallet' && name) return name === merchant ? actors.you : actors.wallet(shortHash(name));
  if (kind === 'key') return actors.key;
  return actors.named[kind ?? ''] ?? actor;
}

/** Everything that happened to a receipt, latest first. */
export function History({ receipt }: { readonly receipt: ReceiptStoryFragment }) {
  const rows = [...receipt.history].sort((a, b) => b.seq - a.seq);
  return (
    <Section title={words.history.title}>
      <ol class="history">
        {rows.map((row) => (
          <li key={row.id} class={row.kind === 'status' ? 'moved' : undefined}>
            <span>{happened(row)}</span>
            <span class="soft">
              {who(row.actor, receipt.merchant)} · <When at={row.at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
