import { shortHash } from '../../shared/amounts.ts';
import { webUrl } from '../../shared/paths.ts';
import { words } from '../shared/words.ts';
import { Icon } from './icon.tsx';

/** A shortened hash or address, linked to the block explorer if there is one. Its title is the whole. */
export function Hash({ hash, url }: { readonly hash: string; readonly url?: string | null }) {
  const address = webUrl(url);
  const text = (
    <span class="mono" title={hash}>
      {shortHash(hash)}
    </span>
  );
  if (!address) return text;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {text} <Icon name="out" />
      <span class="unseen">{words.opensExplorer}</span>
    </a>
  );
}
