import { useState } from 'preact/hooks';
import { useWrite } from '../client/ask.ts';
import { Confirm } from '../components/confirm.tsx';
import { Input } from '../components/field.tsx';
import { type MerchantRowFragment, ResumeMerchant, SuspendMerchant } from '../generated/merchants.ts';
import { words } from '../words.ts';

interface SuspensionDialogProps {
  readonly merchant: MerchantRowFragment;
  readonly onClose: () => void;
}

/** Suspends a shop with a reason, or ends its suspension, after saying what that does. */
export function SuspensionDialog(props: SuspensionDialogProps) {
  return props.merchant.suspendedAt === null ? <Suspend {...props} /> : <Resume {...props} />;
}

function Suspend({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, problem, send } = useWrite(SuspendMerchant);
  const suspend = async () => {
    setTried(true);
    if (reason.trim() && (await send({ wallet, reason: reason.trim() }))) onClose();
  };
  return (
    <Confirm
      open
      title={words.merchants.suspendTitle(name)}
      action={words.merchants.suspend}
      kind="danger"
      busy={busy}
      problem={problem}
      onConfirm={() => void suspend()}
      onClose={onClose}
    >
      <p>{words.merchants.suspendText}</p>
      <Input
        label={words.merchants.reason}
        hint={words.merchants.reasonHint}
        value={reason}
        problem={tried && !reason.trim() ? words.merchants.reasonNeeded : null}
        onInput={setReason}
      />
    </Confirm>
  );
}

function Resume({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  const { busy, problem, send } = useWrite(ResumeMerchant);
  const resume = async () => {
    if (await send({ wallet })) onClose();
  };
  return (
    <Confirm
      open
      title={words.merchants.resumeTitle(name)}
      action={words.merchants.resume}
      busy={busy}
      problem={problem}
      onConfirm={() => void resume()}
      onClose={onClose}
    >
      <p>{words.merchants.resumeText}</p>
    </Confirm>
  );
}
