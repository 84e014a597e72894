import { render } from 'preact';
import type { ConsoleSettings } from '../settings.ts';
import { Console } from './console.tsx';
import { watchLeaving } from './leaving.ts';

const root = document.getElementById('console');
if (root) {
  document.documentElement.classList.add('js');
  const settings = JSON.parse(root.dataset.settings ?? '{}') as ConsoleSettings;
  root.replaceChildren();
  watchLeaving();
  render(<Console settings={settings} />, root);
}
