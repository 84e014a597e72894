import { useState } from 'preact/hooks';
import { Button } from '../client/button.tsx';
import { Icon } from '../client/icon.tsx';
import { Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import type { HomeQuery } from '../generated/home.ts';
import { words } from '../shared/words.ts';

type Steps = NonNullable<HomeQuery['onboarding']>['steps'];

const HIDDEN = 'console.start.hidden';

/** Whether this browser hides what is left of the setup, and how it is hidden. */
export function useHidden(): readonly [hidden: boolean, hide: () => void] {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const hide = () => {
    localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  };
  return [hidden, hide];
}

/** What is left of the setup of the shop; nothing once all is done. */
export function SetUp({ steps, onHide }: { readonly steps: Steps; readonly onHide: () => void }) {
  const left = steps.filter(({ done }) => !done);
  if (left.length === 0) return null;
  return (
    <Section title={words.start.homeTitle}>
      <Rows label={words.start.homeTitle}>
        {left.map(({ step }) => (
          <li key={step} class="row need">
            <a class="row-link" href={`/console/start?step=${step}`}>
              {words.start.steps[step].title}
            </a>
            <Icon name="right" />
          </li>
        ))}
      </Rows>
      <p class="set-up-foot">
        <span class="soft">{words.start.progress(steps.length - left.length, steps.length)}</span>
        <Button kind="plain" onClick={onHide}>
          {words.start.homeHide}
        </Button>
      </p>
    </Section>
  );
}
