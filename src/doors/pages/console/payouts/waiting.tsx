import { useRights } from '../client/access.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { tokenText } from '../client/money-text.ts';
import { Section } from '../client/section.tsx';
import { ReleasePayouts, type WaitingPayoutsQuery } from '../generated/payouts.ts';
import { words } from '../shared/words.ts';

type Waiting = NonNullable<WaitingPayoutsQuery['waitingPayouts']>;
type Batch = Waiting['batches'][number];

const text = words.payouts;

/** What waits to be released, by token and split, with the reason and the way to end it. */
export function WaitingBatches({ waiting }: { readonly waiting: Waiting }) {
  if (waiting.batches.length === 0) return null;
  return (
    <Section title={text.waiting}>
      <ul class="batches" aria-label={text.waiting}>
        {waiting.batches.map((batch) => (
          <BatchCard key={keyOf(batch)} batch={batch} waiting={waiting} />
        ))}
      </ul>
    </Section>
  );
}

const keyOf = ({ chainId, split, token, waitsFor }: Batch): string =>
  `${chainId}/${split}/${token}${waitsFor === 'collection' ? '/collection' : ''}`;

function BatchCard({ batch, waiting }: { readonly batch: Batch; readonly waiting: Waiting }) {
  const { may } = useRights();
  const { isOpen, open, close } = useDialogs();
  const { chainId, split, token, payouts, releases, waitsFor, requested } = batch;
  const { releasesLeft, releasesPerDay } = waiting;
  const collects = waitsFor === 'collection';
  const mayRelease = (collects || waitsFor === 'minimum') && !requested && releasesPerDay !== 0 && may('money');
  const on = keyOf(batch);
  const isWithin = releasesLeft === null || releases <= releasesLeft;
  return (
    <li class="card batch">
      <div class="batch-text">
        <p class="batch-sum number">{tokenText(batch)}</p>
        <p class="soft">
          {collects ? text.fromReceipts({ payouts, receipts: releases }) : text.from({ payouts, recipients: releases })}
        </p>
        <p class="soft">{requested && waitsFor !== 'recipient' ? text.requested : text.reasons[waitsFor]}</p>
        {mayRelease && !isWithin && (
          <p class="soft">{text.usedUp({ needed: releases, left: releasesLeft, perDay: releasesPerDay ?? 0 })}</p>
        )}
      </div>
      {mayRelease && (
        <Button disabled={!isWithin} onClick={() => open('release', on)}>
          {text.release}
        </Button>
      )}
      <ConfirmWrite
        open={mayRelease && isOpen('release', on)}
        title={text.releaseTitle({ sum: tokenText(batch) })}
        action={text.release}
        write={ReleasePayouts}
        variables={{ chainId, split, token, collected: !collects }}
        onClose={close}
      >
        <p>
          {collects
            ? text.willCollect({ receipts: releases, sum: tokenText(batch) })
            : text.will({ releases, sum: tokenText(batch) })}
        </p>
        {releasesLeft !== null && <p>{text.left({ left: releasesLeft, perDay: releasesPerDay ?? 0 })}</p>}
      </ConfirmWrite>
    </li>
  );
}
