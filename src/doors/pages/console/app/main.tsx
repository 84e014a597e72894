import { render } from 'preact';
import type { PageChain } from '../../shared/chain.ts';
import { keepNamedLanguage } from '../client/language-switch.tsx';
import { watchLeaving } from '../client/leaving.ts';
import { networkName } from '../client/network-name.ts';
import type { ConsoleSettings } from '../shared/settings.ts';
import { Console } from './console.tsx';

const root = document.getElementById('console');
if (root) {
  document.documentElement.classList.add('js');
  const settings = withNames(JSON.parse(root.dataset.settings ?? '{}') as ConsoleSettings);
  root.replaceChildren();
  watchLeaving();
  keepNamedLanguage();
  render(<Console settings={settings} />, root);
}

/** The settings with the networks' names in the language of the console. */
function withNames(settings: ConsoleSettings): ConsoleSettings {
  const named = (chain: PageChain): PageChain => ({ ...chain, name: networkName(chain.id, chain.name) });
  return { ...settings, chain: named(settings.chain), chains: settings.chains.map(named) };
}
