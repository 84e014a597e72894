import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import type { PageProps } from '../client/console-page.ts';
import { useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Empty, Loaded } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { moneyText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { failureAction, failureReason } from '../client/problem.ts';
import { Rows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { EndSubscription, SubscriptionById, type SubscriptionByIdQuery } from '../generated/plans.ts';
import { useSubscriptionNews } from '../plans/news.ts';
import { NextCharge, SubscriptionMark } from '../plans/subscriber-row.tsx';
import { words } from '../shared/words.ts';

type Subscription = SubscriptionByIdQuery['subscription'];

/** One subscription: what is charged, why a charge failed, its charges and its end. */
export default function SubscriptionPage({ params }: PageProps) {
  const subscriptionId = params.subscriptionId ?? '';
  const read = useRead(SubscriptionById, { subscriptionId });
  useSubscriptionNews(read.again, subscriptionId);
  const subscription = read.data?.subscription;
  const up = subscription
    ? { href: `/console/plans/${subscription.planId}`, title: words.plans.plan }
    : { href: '/console/plans', title: words.plans.title };
  return (
    <>
      <PageHead
        title={
          subscription
            ? words.plans.of({ customer: subscription.customerEmail ?? shortHash(subscription.customerWallet) })
            : words.plans.one
        }
        up={up}
      />
      <Loaded read={read} of={read.data} place={5}>
        {(data) => (
          <>
            <Facts subscription={data.subscription} />
            <section class="section">
              <h2>{words.plans.charges}</h2>
              <Charges charges={data.subscription.charges.nodes} />
            </section>
            <section class="section">
              <h2>{words.plans.history}</h2>
              <History events={data.subscriptionHistory.nodes} />
            </section>
            <EndCard subscription={data.subscription} onDone={read.again} />
          </>
        )}
      </Loaded>
    </>
  );
}

type HistoryEvents = SubscriptionByIdQuery['subscriptionHistory']['nodes'];

/** What happened to a subscription, latest first. */
function History({ events }: { readonly events: HistoryEvents }) {
  return (
    <ol class="history">
      {events.toReversed().map(({ id, kind, at, failureCode }) => (
        <li key={id} class={kind === 'charge_failed' ? 'missed' : 'moved'}>
          <span>{words.plans.kinds[kind]}</span>
          <span class="soft">
            {failureCode && `${failureReason(failureCode)} `}
            <When at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Facts({ subscription }: { readonly subscription: Subscription }) {
  const { customerWallet, priceUsd, period, status, nextChargeAt, totalChargedUsd, chargeCount, lastFailure } =
    subscription;
  const failure = status === 'past_due' ? lastFailure : null;
  return (
    <div class="card subscription-facts">
      {failure && (
        <div class="note bad">
          <p>
            {failureReason(failure)} {failureAction(failure)}
          </p>
        </div>
      )}
      <dl class="facts">
        <div>
          <dt>{words.plans.status}</dt>
          <dd>
            <SubscriptionMark status={status} />
          </dd>
        </div>
        <div>
          <dt>{words.plans.customer}</dt>
          <dd class="mono">{customerWallet}</dd>
        </div>
        <div>
          <dt>{words.plans.pays}</dt>
          <dd>
            <Money amount={priceUsd} /> {words.plans.periods[period]}
          </dd>
        </div>
        <div>
          <dt>{words.plans.nextCharge}</dt>
          <dd>{nextChargeAt === null ? words.plans.noNext : <NextCharge {...subscription} />}</dd>
        </div>
        <div>
          <dt>{words.plans.paidSoFar}</dt>
          <dd>{words.plans.inCharges({ total: moneyText(totalChargedUsd), count: chargeCount })}</dd>
        </div>
      </dl>
    </div>
  );
}

const CHARGE_TONES = { sent: 'plain', succeeded: 'mark', failed: 'bad' } as const;

function Charges({ charges }: { readonly charges: Subscription['charges']['nodes'] }) {
  if (charges.length === 0) return <Empty title={words.plans.noCharges} text={words.plans.noChargesText} />;
  return (
    <Rows label={words.plans.charges}>
      {charges.map(({ id, receiptId, amountUsd, state, failureCode, createdAt, blockTime }) => (
        <li key={id} class="row charge-row">
          <a class="row-link" href={`/console/receipts/${encodeURIComponent(receiptId)}`}>
            <When at={blockTime ?? createdAt} />
          </a>
          <Status tone={CHARGE_TONES[state]} open={state === 'sent'}>
            {words.plans.chargeStates[state]}
          </Status>
          <span class="soft">{failureCode && failureReason(failureCode)}</span>
          <span class="row-end">
            <Money amount={amountUsd} />
          </span>
        </li>
      ))}
    </Rows>
  );
}

function EndCard({ subscription, onDone }: { readonly subscription: Subscription; readonly onDone: () => void }) {
  const { isOpen, open, close } = useDialogs();
  const { busy, problem, send } = useWrite(EndSubscription);
  const { subscriptionId, status } = subscription;
  const mayEnd = useRights().may('plans_write');
  if (!mayEnd || status === 'cancelled' || status === 'expired') return null;
  const end = async () => {
    if (await send({ subscriptionId })) onDone();
  };
  return (
    <section class="section">
      {isOpen('end') ? (
        <div class="card end-card">
          <h2>{words.plans.endTitle}</h2>
          <p>{words.plans.endText}</p>
          <ErrorNote problem={problem} />
          <div class="dialog-actions">
            <Button onClick={close}>{words.catalog.keep}</Button>
            <Button kind="danger" busy={busy} onClick={() => void end()}>
              {words.plans.endNow}
            </Button>
          </div>
        </div>
      ) : (
        <Button kind="danger" onClick={() => open('end')}>
          {words.plans.end}
        </Button>
      )}
    </section>
  );
}
