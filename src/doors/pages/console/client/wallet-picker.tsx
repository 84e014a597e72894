import type { Provider } from '../../client/wallet.ts';
import { words } from '../shared/words.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { type FoundWallets, usualWallet } from './wallets.ts';

interface WalletPickerProps {
  readonly wallets: FoundWallets;
  readonly disabled?: boolean;
  readonly onPick: (provider: Provider) => void;
  /** What the wallet is asked for. */
  readonly children: string;
}

/** One button for the wallet that signed in; one for each wallet if it is not here. */
export function WalletPicker({ wallets, disabled, onPick, children }: WalletPickerProps) {
  const usual = usualWallet(wallets);
  if (usual)
    return (
      <Button kind="primary" disabled={disabled} onClick={() => onPick(usual)}>
        <Icon name="wallet" />
        {children}
      </Button>
    );
  if (wallets.choices.length === 0) return <p class="note">{words.wallet.none}</p>;
  return wallets.choices.map(({ id, name }) => (
    <Button
      key={id}
      kind="primary"
      disabled={disabled}
      onClick={() => {
        const provider = wallets.provider(id);
        if (provider) onPick(provider);
      }}
    >
      <Icon name="wallet" />
      {`${children}: ${name}`}
    </Button>
  ));
}
