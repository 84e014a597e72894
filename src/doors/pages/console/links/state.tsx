import { Money } from '../client/money.tsx';
import { Status } from '../client/status.tsx';
import type { LinkFieldsFragment } from '../generated/links.ts';
import { words } from '../shared/words.ts';

interface OfLink {
  readonly link: LinkFieldsFragment;
}

/** Whether a link makes receipts now. */
export function LinkState({ link: { active, endsAt } }: OfLink) {
  const isOver = endsAt !== null && endsAt <= Date.now();
  const isOpen = active && !isOver;
  return (
    <Status tone={isOpen ? 'mark' : 'muted'} open={!isOpen}>
      {isOpen ? words.links.on : isOver ? words.links.over : words.links.off}
    </Status>
  );
}

/** What a link has sold. */
export function Sold({ link: { soldCount, soldUsd } }: OfLink) {
  return (
    <>
      <strong>{words.links.sold({ count: soldCount })}</strong>{' '}
      {soldCount > 0 && (
        <span class="soft">
          <Money amount={soldUsd} />
        </span>
      )}
    </>
  );
}
