import { render } from 'preact';
import { keepNamedLanguage } from '../client/language-switch.tsx';
import { watchLeaving } from '../client/leaving.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { Console } from './console.tsx';

const root = document.getElementById('console');
if (root) {
  document.documentElement.classList.add('js');
  const settings = JSON.parse(root.dataset.settings ?? '{}') as ConsoleSettings;
  root.replaceChildren();
  watchLeaving();
  keepNamedLanguage();
  render(<Console settings={settings} />, root);
}
