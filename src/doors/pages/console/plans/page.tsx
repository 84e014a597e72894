import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { useInside } from '../client/inside.ts';
import { Empty, LoadedRows } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables, Rows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { type PlanFieldsFragment, Plans } from '../generated/plans.ts';
import { words } from '../shared/words.ts';
import { useSubscriptionNews } from './news.ts';
import { PlanForm } from './plan-form.tsx';
import { SubscriberRow, SubscriberSearch } from './subscriber-row.tsx';

/** The plans that customers subscribe to, and who of them is past due or searched for. */
export default function PlansPage() {
  const { query, url, route } = useLocation();
  const dialogs = useDialogs();
  const { session } = useInside();
  const mayWrite = useRights().may('plans_write');
  const wallet = session.merchant as `0x${string}`;
  const q = query.q || null;
  const read = useRead(Plans, { wallet, q, status: q ? null : 'past_due', ...pageVariables(query) });
  useSubscriptionNews(read.again);
  const plans = read.data?.plans;
  const subscribers = read.data?.subscriptions.nodes ?? [];
  return (
    <>
      <PageHead title={words.plans.title}>
        {mayWrite && (
          <Button kind="primary" href={dialogs.hrefOf('add')}>
            {words.plans.add}
          </Button>
        )}
      </PageHead>
      <LoadedRows
        read={read}
        of={plans}
        place={4}
        label={words.plans.title}
        empty={{
          title: words.plans.none,
          text: words.plans.noneText,
          ...(mayWrite && { action: { href: dialogs.hrefOf('add'), text: words.plans.add } }),
        }}
        row={(plan) => <PlanRow key={plan.id} plan={plan} />}
      />
      {(q || (plans && plans.nodes.length > 0)) && (
        <section class="section">
          <h2>{q || subscribers.length === 0 ? words.plans.subscribers : words.plans.pastDue}</h2>
          <search class="filters">
            <SubscriberSearch q={query.q} onSearch={(typed) => route(changeQuery(url, { q: typed }), true)} />
          </search>
          {q && read.data && subscribers.length === 0 && <Empty title={words.plans.noneFound} />}
          {subscribers.length > 0 && (
            <Rows label={words.plans.subscribers} old={read.loading}>
              {subscribers.map((subscriber) => (
                <SubscriberRow
                  key={subscriber.id}
                  subscriber={subscriber}
                  plan={plans?.nodes.find(({ planId }) => planId === subscriber.planId)?.name}
                />
              ))}
            </Rows>
          )}
        </section>
      )}
      <Dialog kind="drawer" open={mayWrite && dialogs.isOpen('add')} title={words.plans.add} onClose={dialogs.close}>
        <PlanForm onCancel={dialogs.close} onDone={({ planId }) => route(`/console/plans/${planId}`, true)} />
      </Dialog>
    </>
  );
}

function PlanRow({ plan }: { readonly plan: PlanFieldsFragment }) {
  const { planId, name, priceUsd, period, active } = plan;
  return (
    <li class="row plan-row">
      <a class="row-link cut" href={`/console/plans/${planId}`}>
        <bdi>{name}</bdi>
      </a>
      <Status tone={active ? 'mark' : 'muted'} open={!active}>
        {active ? words.plans.active : words.plans.inactive}
      </Status>
      <span class="row-end">
        <strong>
          <Money amount={priceUsd} />
        </strong>{' '}
        <span class="soft">{words.plans.periods[period]}</span>
      </span>
    </li>
  );
}
