import { useState } from 'preact/hooks';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import { CopyButton } from '../client/copy-button.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Input } from '../client/field.tsx';
import { Icon } from '../client/icon.tsx';
import { tokenText } from '../client/money-text.ts';
import { ownText } from '../client/own-amount.ts';
import { MailToYou, RequestPayment } from '../generated/mails.ts';
import { AcceptReceipt, type ReceiptStoryFragment, TakeBackAssignment, VoidReceipt } from '../generated/receipt.ts';
import { words } from '../shared/words.ts';
import { RefundDialog } from './refund-dialog.tsx';

interface ActionsProps {
  readonly receipt: ReceiptStoryFragment;
}

/** What the role may do with a receipt in its status. */
export function Actions({ receipt }: ActionsProps) {
  const { status, closedAt, paymentUrl, refundableUsd, billingAddress, paidAt, payments } = receipt;
  const { isOpen, open, close } = useDialogs();
  const mayMove = useRights().may('money');
  const isPayable = closedAt === null && ['generated', 'pending', 'failed', 'tx_mismatch'].includes(status);
  const mayAccept = mayMove && status === 'tx_mismatch' && payments.length > 0;
  const isPaid = paidAt !== null;
  // Without an SMTP server, or a right to it, the reader's own program sends the link.
  const sends = useRead(MailToYou, {}, { again: false }).data?.mailPreference?.configured === true;
  const asksByMail = useRights().may('receipts_write') && sends && isPayable;
  const assigned = payments.filter((one) => one.assigned && !isPaid);
  const mail = `mailto:${billingAddress?.email ?? ''}?subject=${encodeURIComponent(words.receipt.mailSubject({ amount: ownText(receipt) }))}&body=${encodeURIComponent(isPaid ? printUrl(paymentUrl) : paymentUrl)}`;
  return (
    <div class="story-actions">
      {isPayable && <CopyButton text={paymentUrl}>{words.receipt.copyLink}</CopyButton>}
      {asksByMail ? (
        <Button onClick={() => open('request')}>
          <Icon name="send" />
          {words.receipt.sendLink}
        </Button>
      ) : (
        (isPayable || isPaid) && (
          <Button href={mail}>
            <Icon name="send" />
            {words.receipt.sendLink}
          </Button>
        )
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
      <RequestDialog receipt={receipt} open={asksByMail && isOpen('request')} onClose={close} />
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
      <p>
        {words.receipt.acceptText({
          total: ownText(receipt),
          missing: missing ? tokenText(missing) : '',
        })}
      </p>
    </ConfirmWrite>
  );
}

/** Asks an address for the payment. */
function RequestDialog({ receipt, open, onClose }: AskProps) {
  const { receiptId, billingAddress } = receipt;
  const [email, setEmail] = useState(billingAddress?.email ?? '');
  return (
    <ConfirmWrite
      open={open}
      title={words.mails.request}
      action={words.mails.request}
      waits={email.trim() === ''}
      onClose={onClose}
      write={RequestPayment}
      variables={{ receiptId, email }}
    >
      <Input label={words.receipt.email} type="email" hint={words.mails.requestText} value={email} onInput={setEmail} />
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
      <p>{words.receipt.voidText({ total: ownText(receipt) })}</p>
    </ConfirmWrite>
  );
}

type Payment = ReceiptStoryFragment['payments'][number];

const placeOf = ({ chainId, recordedHash, logIndex }: Payment) => `${chainId}-${recordedHash}-${logIndex}`;

interface TakeBackProps {
  readonly payment: Payment;
  readonly open: boolean;
  readonly onClose: () => void;
}

function TakeBackDialog({ payment, open, onClose }: TakeBackProps) {
  const { chainId, recordedHash, logIndex } = payment;
  return (
    <ConfirmWrite
      open={open}
      title={words.unmatched.takeBackTitle}
      action={words.unmatched.takeBack}
      onClose={onClose}
      write={TakeBackAssignment}
      variables={{ chainId, recordedHash, logIndex }}
    >
      <p>{words.unmatched.takeBackText({ amount: tokenText(payment) })}</p>
    </ConfirmWrite>
  );
}
