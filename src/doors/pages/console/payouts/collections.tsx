import { Button } from '../client/button.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { useInside } from '../client/inside.ts';
import { Section } from '../client/section.tsx';
import { WalletPicker } from '../client/wallet-picker.tsx';
import { words } from '../shared/words.ts';
import { type Collection, useCollect } from './use-collect.ts';

const text = words.payouts.own;

/** What stands at the addresses of receipts, with the button that collects and pays it from the own wallet. */
export function OwnCollections({ collections }: { readonly collections: readonly Collection[] }) {
  if (collections.length === 0) return null;
  return (
    <Section title={text.title}>
      <p class="soft">{text.text}</p>
      <ul class="batches" aria-label={text.title}>
        {collections.map((collection) => (
          <CollectionCard
            key={`${collection.chainId}/${collection.split}/${collection.token}`}
            collection={collection}
          />
        ))}
      </ul>
    </Section>
  );
}

function CollectionCard({ collection }: { readonly collection: Collection }) {
  const { wallets, settings } = useInside();
  const { busy, problem, isSent, collect } = useCollect(collection);
  const { chainId, token, display, addresses, waiting } = collection;
  const chain = settings.chains.find(({ id }) => id === chainId) ?? settings.chain;
  const sum = `${display ?? ''} ${token}`;
  return (
    <li class="card batch">
      <div class="batch-text">
        <p class="batch-sum number">{sum}</p>
        <p class="soft">
          {text.from(addresses, waiting)} {text.of(chain.name)}
        </p>
        <ErrorNote problem={problem} />
        {isSent && <p role="status">{text.sent}</p>}
      </div>
      {busy !== null && (
        <Button kind="primary" busy>
          {busy}
        </Button>
      )}
      {busy === null && !isSent && (
        <WalletPicker wallets={wallets} onPick={(provider) => void collect(provider)}>
          {text.collectSum(sum)}
        </WalletPicker>
      )}
    </li>
  );
}
