import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import type { PageProps } from '../client/console-page.ts';
import { CopyButton } from '../client/copy-button.tsx';
import { Dialog, useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Select } from '../client/field.tsx';
import { useInside } from '../client/inside.ts';
import { Loaded, LoadedRows } from '../client/loaded.tsx';
import { Money } from '../client/money.tsx';
import { PageHead } from '../client/page-head.tsx';
import { Qr } from '../client/qr.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { Status } from '../client/status.tsx';
import {
  PlanById,
  type PlanFieldsFragment,
  Subscribers,
  type SubscriptionState,
  UpdatePlan,
} from '../generated/plans.ts';
import { useSubscriptionNews } from '../plans/news.ts';
import { PlanForm } from '../plans/plan-form.tsx';
import { SubscriberRow, SubscriberSearch } from '../plans/subscriber-row.tsx';
import { words } from '../shared/words.ts';

const STATES: readonly SubscriptionState[] = ['active', 'past_due', 'cancelled', 'expired'];

/** One plan: its link, and who subscribes to it. */
export default function PlanPage({ params }: PageProps) {
  const dialogs = useDialogs();
  const planId = params.planId ?? '';
  const read = useRead(PlanById, { planId });
  const plan = read.data?.plan;
  const mayWrite = useRights().may('plans_write');
  return (
    <>
      <PageHead title={plan?.name ?? words.plans.plan} up={{ href: '/console/plans', title: words.plans.title }}>
        {mayWrite && plan && <Button href={dialogs.hrefOf('edit')}>{words.plans.edit}</Button>}
      </PageHead>
      <Loaded read={read} of={plan} place={3}>
        {(found) => <PlanCard plan={found} />}
      </Loaded>
      <section class="section">
        <h2>{words.plans.subscribers}</h2>
        <SubscriberList planId={planId} />
      </section>
      <Dialog
        kind="drawer"
        open={mayWrite && plan !== undefined && dialogs.isOpen('edit')}
        title={words.plans.edit}
        onClose={dialogs.close}
      >
        {plan && <PlanForm plan={plan} onCancel={dialogs.close} onDone={dialogs.close} />}
      </Dialog>
    </>
  );
}

function PlanCard({ plan }: { readonly plan: PlanFieldsFragment }) {
  const { planId, priceUsd, period, active, description } = plan;
  const { busy, problem, send } = useWrite(UpdatePlan);
  const mayWrite = useRights().may('plans_write');
  const link = `${location.origin}/subscribe/${planId}`;
  return (
    <div class="card plan-card">
      <Qr text={link} label={words.plans.code} />
      <div class="plan-facts">
        <p class="plan-price">
          <Money amount={priceUsd} /> <span class="soft">{words.plans.periods[period]}</span>
        </p>
        <Status tone={active ? 'mark' : 'muted'} open={!active}>
          {active ? words.plans.takes : words.plans.takesNone}
        </Status>
        {description && <p class="soft">{description}</p>}
        <p class="mono link-text">{link}</p>
        <ErrorNote problem={problem} />
        <div class="link-actions">
          <CopyButton kind="primary" text={link}>
            {words.newPayment.copy}
          </CopyButton>
          <Button href={link} away>
            {words.plans.look}
          </Button>
          {mayWrite && (
            <Button busy={busy} onClick={() => void send({ input: { planId, active: !active } })}>
              {active ? words.plans.close : words.plans.reopen}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function SubscriberList({ planId }: { readonly planId: string }) {
  const { query, url, route } = useLocation();
  const { session } = useInside();
  const status = STATES.find((each) => each === query.show) ?? null;
  const read = useRead(Subscribers, {
    wallet: session.merchant as `0x${string}`,
    planId,
    status,
    q: query.q || null,
    ...pageVariables(query),
  });
  useSubscriptionNews(read.again);
  const change = (changes: { show?: string; q?: string }) =>
    route(changeQuery(url, { ...changes, after: '', before: '' }), true);
  return (
    <>
      <search class="filters">
        <SubscriberSearch q={query.q} onSearch={(q) => change({ q })} />
        <Select label={words.receipts.show} value={status ?? ''} onChange={(show) => change({ show })}>
          <option value="">{words.plans.allStates}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {words.plans.states[each]}
            </option>
          ))}
        </Select>
      </search>
      <LoadedRows
        read={read}
        of={read.data?.subscriptions}
        place={3}
        label={words.plans.subscribers}
        empty={{
          title: query.q ? words.plans.noneFound : status ? words.plans.noneInState : words.plans.noSubscribers,
          text: query.q || status ? undefined : words.plans.noSubscribersText,
        }}
        row={(subscriber) => <SubscriberRow key={subscriber.id} subscriber={subscriber} />}
      />
    </>
  );
}
