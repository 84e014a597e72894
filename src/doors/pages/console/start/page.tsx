import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { NewItem } from '../catalog/item-dialog.tsx';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Icon } from '../client/icon.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { IssueKeyForm, NewKey } from '../developers/issue-key.tsx';
import { ShopSettings } from '../generated/shop.ts';
import { StartName, StartProduct, StartSplit, StartSteps } from '../generated/start.ts';
import { words } from '../shared/words.ts';
import { ColoursStep, LogoStep, NameStep } from './look-steps.tsx';
import { OrderStep } from './order-step.tsx';
import { SplitStep } from './split-step.tsx';
import { isDone, type StepName, type StepProps, type Steps, stepAfter, stepUrl } from './steps.ts';

const PANELS: Readonly<Record<StepName, ComponentType<StepProps>>> = {
  name: NameStep,
  logo: LogoStep,
  colours: ColoursStep,
  split: SplitStep,
  product: ProductStep,
  key: KeyStep,
  order: OrderStep,
};

/** The steps of a new shop. The address names the step; what is done follows from the data of the shop. */
export default function StartPage() {
  const wanted = useLocation().query.step;
  useAhead(wanted);
  const read = useRead(StartSteps, {});
  const { next = null, steps = [] } = read.data?.onboarding ?? {};
  const named = steps.find(({ step }) => step === wanted)?.step ?? null;
  const current = wanted === 'done' ? null : (named ?? next);
  const title = current === null ? words.start.title : words.start.steps[current].title;
  return (
    <>
      <PageHead
        title={read.data ? `${title} · ${words.start.title}` : words.start.title}
        shown={words.start.title}
        lead={words.start.lead}
      />
      <Loaded read={read} of={read.data} place={<SkeletonCard lines={1} />}>
        {() => (
          <div class="start">
            {current === null ? <Finished steps={steps} /> : <Panel key={current} steps={steps} current={current} />}
            <StepList steps={steps} current={current} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** Reads what the step begins with in the request of the page. */
function useAhead(step: string | undefined): void {
  const ofLook = step !== 'split' && step !== 'order';
  useRead(ShopSettings, {}, { pause: !ofLook });
  useRead(StartName, {}, { pause: !ofLook });
  useRead(StartSplit, {}, { pause: step !== 'split' });
  useRead(StartProduct, {}, { pause: step !== 'order' });
}

interface PanelProps {
  readonly steps: Steps;
  readonly current: StepName;
}

function Panel({ steps, current }: PanelProps) {
  const { route } = useLocation();
  const heading = useHeading();
  const Step = PANELS[current];
  const at = steps.findIndex(({ step }) => step === current);
  const nextUrl = stepUrl(stepAfter(steps, current));
  return (
    <section class="card start-panel" aria-labelledby="start-step">
      <p class="soft">
        {words.start.stepOf({ step: at + 1, all: steps.length })}
        {steps[at]?.done && ` · ${words.start.done}`}
      </p>
      <h2 id="start-step" ref={heading} tabIndex={-1}>
        {words.start.steps[current].title}
      </h2>
      <p class="lead">{words.start.steps[current].text}</p>
      <Step steps={steps} nextUrl={nextUrl} onDone={() => route(nextUrl)} />
    </section>
  );
}

/** The heading of the shown step. It has the focus after a change of step, which leaves the page itself as it is. */
function useHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { url } = useLocation();
  const first = useRef(url);
  useEffect(() => {
    if (document.activeElement === document.body || first.current !== url)
      heading.current?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }, [url]);
  return heading;
}

function StepList({ steps, current }: { readonly steps: Steps; readonly current: StepName | null }) {
  const done = steps.filter((each) => each.done).length;
  return (
    <nav class="start-steps" aria-label={words.start.title}>
      <p class="soft">{words.start.progress({ done, all: steps.length })}</p>
      <ol>
        {steps.map((each) => (
          <li key={each.step}>
            <a
              href={stepUrl(each.step)}
              aria-current={each.step === current ? 'step' : undefined}
              data-done={each.done}
            >
              <span class="start-mark" aria-hidden="true">
                {each.done && <Icon name="check" />}
              </span>
              {words.start.steps[each.step].title}
              <span class="unseen"> ({each.done ? words.start.done : words.start.open})</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The end: what can be done now, or which step is still open. */
function Finished({ steps }: { readonly steps: Steps }) {
  const heading = useHeading();
  const left = steps.find(({ done }) => !done);
  return (
    <section class="card start-panel" aria-labelledby="start-step">
      <h2 id="start-step" ref={heading} tabIndex={-1}>
        {left ? words.start.enough : words.start.finished}
      </h2>
      <p class="lead">{left ? words.start.enoughText : words.start.finishedText}</p>
      <div class="save-row">
        <Button kind="primary" href="/console">
          {words.start.home}
        </Button>
        {left ? (
          <Button href={stepUrl(left.step)}>
            {words.start.goOnWith({ step: words.start.steps[left.step].title })}
          </Button>
        ) : (
          <Button href="/console/new">{words.start.newPayment}</Button>
        )}
      </div>
    </section>
  );
}

/** The first developer key, which is shown once. */
function KeyStep({ steps, nextUrl, onDone }: StepProps) {
  const { route } = useLocation();
  const [secret, setSecret] = useState<string | null>(null);
  const store = () => {
    setSecret(null);
    onDone();
  };
  return (
    <>
      {isDone(steps, 'key') || secret !== null ? (
        <>
          <p>{words.start.hasKey}</p>
          <div class="save-row">
            <Button kind="primary" href={nextUrl}>
              {words.start.next}
            </Button>
            <Button href="/console/developers">{words.start.toKeys}</Button>
          </div>
        </>
      ) : (
        <IssueKeyForm leave={words.start.later} onCancel={() => route(nextUrl)} onSecret={setSecret} />
      )}
      <NewKey secret={secret} onClose={store} />
    </>
  );
}

/** The first product, in the form of the catalog. */
function ProductStep({ steps, nextUrl, onDone }: StepProps) {
  const { route } = useLocation();
  if (!isDone(steps, 'product'))
    return <NewItem categories={[]} leave={words.start.later} onClose={() => route(nextUrl)} onSaved={onDone} />;
  return (
    <>
      <p>{words.start.hasProduct}</p>
      <div class="save-row">
        <Button kind="primary" href={nextUrl}>
          {words.start.next}
        </Button>
        <Button href="/console/catalog">{words.start.toCatalog}</Button>
      </div>
    </>
  );
}
