import { useLocation } from 'preact-iso';
import { everyPeriod } from '../../subscribe/stage.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Empty } from '../client/empty.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { Money } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Pager, pageVariables } from '../client/pager.tsx';
import { useRights } from '../client/rights.ts';
import { Rows, SkeletonRows } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import { type PlanFieldsFragment, Plans } from '../generated/plans.ts';
import { words } from '../shared/words.ts';
import { useSubscriptionNews } from './news.ts';
import { PlanForm } from './plan-form.tsx';
import { SubscriberRow } from './subscriber-row.tsx';

/** The plans that customers subscribe to, and who of them is past due. */
export default function PlansPage() {
  const { query, route } = useLocation();
  const dialogs = useDialogs();
  const { session } = useInside();
  const mayWrite = useRights().may('plans_write');
  const wallet = session.merchant as `0x${string}`;
  const { data, problem, loading, again } = useRead(Plans, { wallet, ...pageVariables(query) });
  useSubscriptionNews(again);
  const plans = data?.plans;
  const pastDue = data?.subscriptions.nodes ?? [];
  return (
    <>
      <PageHead title={words.plans.title}>
        {mayWrite && (
          <Button kind="primary" href={dialogs.hrefOf('add')}>
            {words.plans.add}
          </Button>
        )}
      </PageHead>
      {problem !== null && <ErrorNote problem={problem} again={again} />}
      {!plans && problem === null && <SkeletonRows count={4} />}
      {plans && plans.nodes.length > 0 && (
        <Rows label={words.plans.title} old={loading}>
          {plans.nodes.map((plan) => (
            <PlanRow key={plan.id} plan={plan} />
          ))}
        </Rows>
      )}
      {plans?.nodes.length === 0 && (
        <Empty
          title={words.plans.none}
          text={words.plans.noneText}
          {...(mayWrite && { action: { href: dialogs.hrefOf('add'), text: words.plans.add } })}
        />
      )}
      {plans && <Pager info={plans.pageInfo} />}
      {pastDue.length > 0 && (
        <section class="section">
          <h2>{words.plans.pastDue}</h2>
          <Rows label={words.plans.pastDue}>
            {pastDue.map((subscriber) => (
              <SubscriberRow
                key={subscriber.id}
                subscriber={subscriber}
                plan={plans?.nodes.find(({ planId }) => planId === subscriber.planId)?.name}
              />
            ))}
          </Rows>
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
        <span class="soft">{everyPeriod(period)}</span>
      </span>
    </li>
  );
}
