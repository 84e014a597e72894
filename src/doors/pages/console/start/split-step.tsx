import { useState } from 'preact/hooks';
import { shortHash } from '../../shared/amounts.ts';
import { useFreshSignature, useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Confirm } from '../client/confirm.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input, NumberField } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { useInside } from '../client/inside.ts';
import { Unread } from '../client/loaded.tsx';
import { ChangeSplit, type SharesFragment, StartSplit } from '../generated/start.ts';
import { words } from '../shared/words.ts';
import { Actions } from './actions.tsx';
import {
  afterChange,
  bpsOf,
  isWallet,
  ownBps,
  percentText,
  platformBps,
  type Row,
  requestOf,
  rowsOf,
} from './shares.ts';
import type { StepProps } from './steps.ts';

/** Who receives which share of each payment. */
export function SplitStep(props: StepProps) {
  const { data, problem, again } = useRead(StartSplit, {}, { again: false });
  if (problem !== null || !data) return <Unread problem={problem} again={again} />;
  return <SplitForm key={data.split.address} {...props} split={data.split} />;
}

interface SplitFormProps {
  readonly split: SharesFragment;
  /** Called once the new shares count. */
  readonly onDone: () => void;
  /** What follows the shares: the way on, or none on a page of its own. */
  readonly nextUrl: string | null;
}

/** The shares as they are, and a form that sets them up. A change is shown first, and signed for. */
export function SplitForm({ split, nextUrl, onDone }: SplitFormProps) {
  const merchant = useInside().session.merchant ?? '';
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(split.recipients, merchant));
  const [tried, setTried] = useState(false);
  const { busy, problem, send } = useWrite(ChangeSplit);
  const platform = platformBps(split.recipients, merchant);
  const own = ownBps(rows, platform);
  const isSet = split.address !== null;
  const same = isSet && JSON.stringify(rows) === JSON.stringify(rowsOf(split.recipients, merchant));
  const [asking, setAsking] = useState(false);
  const recipients = requestOf(rows, merchant, split.recipients);
  const wrong = own < 0 || rows.some(({ address, percent }) => !isWallet(address) || bpsOf(percent) === null);
  const save = async () => {
    setTried(true);
    if (wrong) return;
    if (isSet) setAsking(true);
    else if (await send({ input: { recipients } })) onDone();
  };
  const change = (at: number, changes: Partial<Row>) =>
    setRows(rows.map((row, n) => (n === at ? { ...row, ...changes } : row)));
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <dl class="shares">
        <div>
          <dt title={merchant}>
            {words.start.you} <span class="mono soft">{shortHash(merchant)}</span>
          </dt>
          <dd class="number">{percentText(Math.max(own, 0))}</dd>
        </div>
        {platform > 0 && (
          <div>
            <dt>{words.start.platform}</dt>
            <dd class="number">{percentText(platform)}</dd>
          </div>
        )}
      </dl>
      {rows.map((row, at) => (
        <RecipientRow
          key={at}
          row={row}
          place={at + 1}
          tried={tried}
          onChange={(changes) => change(at, changes)}
          onRemove={() => setRows(rows.filter((_, n) => n !== at))}
        />
      ))}
      <div>
        <Button onClick={() => setRows([...rows, { address: '', percent: '' }])}>
          <Icon name="plus" />
          {words.start.addRecipient}
        </Button>
      </div>
      <p class="soft">{isSet ? words.start.splitChange : words.start.splitFresh}</p>
      {nextUrl === null ? (
        <>
          <ErrorNote problem={problem ?? (own < 0 ? words.start.tooMuch : null)} />
          <div class="save-row">
            <Button kind="primary" type="submit" busy={busy} disabled={same}>
              {isSet ? words.start.changeSplit : words.start.split}
            </Button>
          </div>
        </>
      ) : (
        <Actions nextUrl={nextUrl} busy={busy} problem={problem ?? (own < 0 ? words.start.tooMuch : null)} still={same}>
          {isSet ? words.start.changeSplit : words.start.split}
        </Actions>
      )}
      <ReviewShares
        before={split.recipients}
        after={recipients}
        merchant={merchant}
        open={asking}
        onDone={() => {
          setAsking(false);
          onDone();
        }}
        onClose={() => setAsking(false)}
      />
    </form>
  );
}

interface RecipientRowProps {
  readonly row: Row;
  readonly place: number;
  readonly tried: boolean;
  readonly onChange: (changes: Partial<Row>) => void;
  readonly onRemove: () => void;
}

function RecipientRow({ row: { address, percent }, place, tried, onChange, onRemove }: RecipientRowProps) {
  return (
    <div class="recipient">
      <Input
        label={words.start.wallet({ n: place })}
        value={address}
        placeholder="0x…"
        problem={tried && !isWallet(address) ? words.start.badWallet : null}
        onInput={(text) => onChange({ address: text })}
      />
      <NumberField
        label={words.start.percent({ n: place })}
        kind="percent"
        value={percent}
        problem={tried && bpsOf(percent) === null ? words.start.badShare : null}
        onInput={(text) => onChange({ percent: text })}
      />
      <Button kind="plain" label={words.start.removeRecipient({ n: place })} onClick={onRemove}>
        <Icon name="cross" />
      </Button>
    </div>
  );
}

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
function ReviewShares({ before, after, merchant, open, onDone, onClose }: ReviewSharesProps) {
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
