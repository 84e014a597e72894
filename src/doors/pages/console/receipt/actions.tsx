import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm-write.tsx';
import { CopyButton } from '../client/copy-button.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Icon } from '../client/icon.tsx';
import { ownText } from '../client/own-amount.ts';
import { useRights } from '../client/rights.ts';
import { AcceptReceipt, type ReceiptStoryFragment, TakeBackAssignment, VoidReceipt } from '../generated/receipt.ts';
import { words } from '../shared/words.ts';
import { RefundDialog } from './refund-dialog.tsx';

interface ActionsProps {
  readonly receipt: ReceiptStoryFragment;
}

/** What the role may do with a receipt in its status. */
export function Actions({ receipt }: ActionsProps) {
  const { status, closedAt, paymentUrl, refundableUsd, billingAddress, transactionHash, paidAt, payments } = receipt;
  const { isOpen, open, close } = useDialogs();
  const mayMove = useRights().may('money');
  const isPayable = closedAt === null && ['generated', 'pending', 'failed', 'tx_mismatch'].includes(status);
  const mayAccept = mayMove && status === 'tx_mismatch' && transactionHash !== null;
  const isPaid = paidAt !== null;
  const assigned = payments.filter((one) => one.assigned && one.transactionHash !== null && !isPaid);
  const mail = `mailto:${billingAddress?.email ?? ''}?subject=${encodeURIComponent(words.receipt.mailSubject(ownText(receipt)))}&body=${encodeURIComponent(isPaid ? printUrl(paymentUrl) : paymentUrl)}`;
  return (
    <div class="story-actions">
      {isPayable && <CopyButton text={paymentUrl}>{words.receipt.copyLink}</CopyButton>}
      {(isPayable || isPaid) && (
        <Button href={mail}>
          <Icon name="send" />
          {words.receipt.sendLink}
        </Button>
      )}
      {isPaid && (
        <Button href={printUrl(paymentUrl)} away>
          <Icon name="print" />
          {words.receipt.print}
        </Button>
      )}
      <Button href={paymentUrl} away>
        <Icon name="out" />
        {words.receipt.open}
      </Button>
      {mayMove && refundableUsd > 0 && (
        <Button onClick={() => open('refund')}>
          <Icon name="back" />
          {words.receipt.refund}
        </Button>
      )}
      {mayAccept && (
        <Button onClick={() => open('accept')}>
          <Icon name="check" />
          {words.receipt.accept}
        </Button>
      )}
      {mayMove && isPayable && (
        <Button kind="plain" onClick={() => open('void')}>
          {words.receipt.void}
        </Button>
      )}
      {mayMove &&
        assigned.map((payment) => (
          <Button key={placeOf(payment)} onClick={() => open('take-back', placeOf(payment))}>
            {words.unmatched.takeBack}
          </Button>
        ))}
      {assigned.map((payment) => (
        <TakeBackDialog
          key={placeOf(payment)}
          payment={payment}
          open={mayMove && isOpen('take-back', placeOf(payment))}
          onClose={close}
        />
      ))}
      <RefundDialog receipt={receipt} open={mayMove && refundableUsd > 0 && isOpen('refund')} onClose={close} />
      <AcceptDialog receipt={receipt} open={mayAccept && isOpen('accept')} onClose={close} />
      <VoidDialog receipt={receipt} open={mayMove && isPayable && isOpen('void')} onClose={close} />
    </div>
  );
}

/** The printable receipt beside a payment page. */
function printUrl(paymentUrl: string): string {
  const url = new URL(paymentUrl);
  url.pathname = `${url.pathname}/receipt`;
  return url.href;
}

interface AskProps extends ActionsProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function AcceptDialog({ receipt, open, onClose }: AskProps) {
  const { receiptId, missing } = receipt;
  return (
    <ConfirmWrite
      open={open}
      title={words.receipt.acceptTitle}
      action={words.receipt.accept}
      onClose={onClose}
      write={AcceptReceipt}
      variables={{ receiptId }}
    >
      <p>{words.receipt.acceptText(ownText(receipt), missing ? `${missing.display} ${missing.token}` : '')}</p>
    </ConfirmWrite>
  );
}

function VoidDialog({ receipt, open, onClose }: AskProps) {
  const { receiptId } = receipt;
  return (
    <ConfirmWrite
      open={open}
      title={words.receipt.voidTitle}
      action={words.receipt.void}
      kind="danger"
      onClose={onClose}
      write={VoidReceipt}
      variables={{ receiptId }}
    >
      <p>{words.receipt.voidText(ownText(receipt))}</p>
    </ConfirmWrite>
  );
}

type Payment = ReceiptStoryFragment['payments'][number];

const placeOf = ({ chainId, transactionHash, logIndex }: Payment) => `${chainId}-${transactionHash}-${logIndex}`;

interface TakeBackProps {
  readonly payment: Payment;
  readonly open: boolean;
  readonly onClose: () => void;
}

function TakeBackDialog({ payment, open, onClose }: TakeBackProps) {
  const { chainId, transactionHash, logIndex, display, token } = payment;
  return (
    <ConfirmWrite
      open={open}
      title={words.unmatched.takeBackTitle}
      action={words.unmatched.takeBack}
      onClose={onClose}
      write={TakeBackAssignment}
      variables={{ chainId, transactionHash: transactionHash ?? '', logIndex }}
    >
      <p>{words.unmatched.takeBackText(`${display ?? ''} ${token}`.trim())}</p>
    </ConfirmWrite>
  );
}
