import { shortHash } from '../../shared/amounts.ts';
import { isLater } from '../../subscribe/stage.ts';
import { moneyText } from '../client/money-text.ts';
import { failureReason } from '../client/problem.ts';
import { SearchBox } from '../client/search-box.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import type { SubscriberFragment, SubscriptionState } from '../generated/plans.ts';
import { words } from '../shared/words.ts';

const TONES = { active: 'mark', past_due: 'bad', cancelled: 'muted', expired: 'muted' } as const;

/** The status of a subscription. */
export function SubscriptionMark({ status }: { readonly status: SubscriptionState }) {
  return (
    <Status tone={TONES[status]} open={TONES[status] === 'muted'}>
      {words.plans.states[status]}
    </Status>
  );
}

/** When the next charge comes. A first charge that is due is under way. */
export function NextCharge({
  nextChargeAt,
  firstCharge,
  label,
}: Pick<SubscriberFragment, 'nextChargeAt' | 'firstCharge'> & { readonly label?: string }) {
  if (nextChargeAt === null) return null;
  if (firstCharge === 'pending' && !isLater({ nextChargeAt }, Date.now())) return words.plans.charging;
  return (
    <>
      {label} <When at={nextChargeAt} />
    </>
  );
}

/** The search for subscribers. */
export const SubscriberSearch = ({ q, onSearch }: { readonly q?: string; readonly onSearch: (q: string) => void }) => (
  <SearchBox q={q ?? ''} label={words.plans.search} hint={words.plans.searchHint} onSearch={onSearch} />
);

interface SubscriberRowProps {
  readonly subscriber: SubscriberFragment;
  /** The name of the plan, where subscribers of several plans are listed. */
  readonly plan?: string;
}

/** A subscriber in a list: who pays, and what comes next or why it does not. */
export function SubscriberRow({ subscriber, plan }: SubscriberRowProps) {
  const { subscriptionId, customerEmail, customerWallet, status, totalChargedUsd, lastFailure } = subscriber;
  const failure = status === 'past_due' && lastFailure ? failureReason(lastFailure) : null;
  return (
    <li class="row subscriber-row">
      <a
        class={`row-link cut${customerEmail === null ? ' mono' : ''}`}
        href={`/console/subscriptions/${subscriptionId}`}
        title={customerWallet}
      >
        {customerEmail ?? shortHash(customerWallet)}
      </a>
      <SubscriptionMark status={status} />
      <span class="soft">
        {plan && <bdi>{plan} · </bdi>}
        {failure ?? <NextCharge {...subscriber} label={words.plans.next} />}
      </span>
      <span class="row-end">{words.plans.paid({ amount: moneyText(totalChargedUsd) })}</span>
    </li>
  );
}
