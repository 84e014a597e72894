import { useWrite } from '../client/ask.ts';
import { ConfirmWrite } from '../client/confirm-write.tsx';
import { ReasonDialog } from '../client/reason-dialog.tsx';
import { type MerchantRowFragment, ResumeMerchant, SuspendMerchant } from '../generated/merchants.ts';
import { words } from '../shared/words.ts';

interface SuspensionDialogProps {
  readonly merchant: MerchantRowFragment;
  readonly onClose: () => void;
}

/** Suspends a shop with a reason, after saying what that does. */
export function SuspendDialog({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  const { busy, problem, send } = useWrite(SuspendMerchant);
  const suspend = async (reason: string) => {
    if (await send({ wallet, reason })) onClose();
  };
  return (
    <ReasonDialog
      title={words.merchants.suspendTitle(name)}
      action={words.merchants.suspend}
      busy={busy}
      problem={problem}
      onConfirm={(reason) => void suspend(reason)}
      onClose={onClose}
    >
      <p>{words.merchants.suspendText}</p>
    </ReasonDialog>
  );
}

/** Ends the suspension of a shop, after saying what that does. */
export function ResumeDialog({ merchant: { wallet, name }, onClose }: SuspensionDialogProps) {
  return (
    <ConfirmWrite
      open
      title={words.merchants.resumeTitle(name)}
      action={words.merchants.resume}
      write={ResumeMerchant}
      variables={{ wallet }}
      onClose={onClose}
    >
      <p>{words.merchants.resumeText}</p>
    </ConfirmWrite>
  );
}
