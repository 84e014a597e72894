import { useState } from 'preact/hooks';
import { shortHash } from '../../shared/amounts.ts';
import { useFreshSignature, useWrite } from '../client/ask.ts';
import { Confirm } from '../client/confirm.tsx';
import { ChangeSplit, type SharesFragment } from '../generated/start.ts';
import { words } from '../shared/words.ts';
import { afterChange, percentText } from './shares.ts';

type Recipient = SharesFragment['recipients'][number];

interface ReviewSharesProps {
  readonly before: readonly Recipient[];
  /** The recipients to request. */
  readonly after: readonly { readonly address: string; readonly sharesBps: number }[];
  readonly merchant: string;
  readonly open: boolean;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Who is paid, by name. */
const nameOf = (address: string, merchant: string, isPlatform: boolean): string => {
  if (address === merchant) return words.start.you;
  return isPlatform ? words.start.platform : shortHash(address);
};

/** Shows a change of the shares before it is made, and asks the wallet for a signature of its own. */
export function ReviewShares({ before, after, merchant, open, onDone, onClose }: ReviewSharesProps) {
  const sign = useFreshSignature();
  const { busy, problem, send, clear } = useWrite(ChangeSplit);
  const [signing, setSigning] = useState(false);
  const [unsigned, setUnsigned] = useState<string | null>(null);
  const run = async () => {
    setSigning(true);
    const refused = await sign();
    setSigning(false);
    setUnsigned(refused);
    if (refused === null && (await send({ input: { recipients: [...after] } }))) onDone();
  };
  return (
    <Confirm
      open={open}
      title={words.start.reviewTitle}
      action={words.start.signChange}
      busy={busy || signing}
      problem={unsigned ?? problem}
      onConfirm={() => void run()}
      onClose={() => {
        clear();
        setUnsigned(null);
        onClose();
      }}
    >
      <dl class="shares">
        {afterChange(before, after).map(({ address, platform, fromBps, toBps }) => (
          <div key={address}>
            <dt title={address}>{nameOf(address, merchant, platform)}</dt>
            <dd class="number">
              {fromBps === toBps
                ? words.start.shareStays({ share: percentText(toBps) })
                : words.start.shareMoves({ from: percentText(fromBps), to: percentText(toBps) })}
            </dd>
          </div>
        ))}
      </dl>
      <p>{words.start.splitChange}</p>
    </Confirm>
  );
}
