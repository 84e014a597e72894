import { useEffect, useState } from 'preact/hooks';
import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Input, LabelledSelect, NumberField } from '../client/field.tsx';
import { useInside } from '../client/inside.ts';
import { tokenText } from '../client/money-text.ts';
import { ownAmount, ownText, usdOf } from '../client/own-amount.ts';
import { numberFrom, numberText } from '../client/typed-number.ts';
import { WalletPicker } from '../client/wallet-picker.tsx';
import type { ReceiptStoryFragment } from '../generated/receipt.ts';
import { RefundDrafts, type RefundDraftsQuery, type RefundReason } from '../generated/refunds.ts';
import { useRefunds } from '../refunds/use-refunds.ts';
import { words } from '../shared/words.ts';
import { costText } from './refund-cost.ts';

interface RefundDialogProps {
  readonly receipt: ReceiptStoryFragment;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Refunds a receipt from the merchant's wallet in one go. */
export function RefundDialog({ receipt, open, onClose }: RefundDialogProps) {
  const refunding = useRefunds(receipt.receiptId);
  const { proven } = refunding;
  useEffect(() => {
    if (proven > 0) onClose();
  }, [proven]);
  return (
    <>
      {!open && refunding.busy !== null && (
        <p class="note" role="status">
          {refunding.busy}
        </p>
      )}
      {!open && refunding.problem !== null && <ErrorNote problem={refunding.problem} />}
      <Dialog open={open} title={words.refund.title} onClose={onClose}>
        <RefundForm receipt={receipt} refunding={refunding} onClose={onClose} />
      </Dialog>
    </>
  );
}

interface SendersProps {
  readonly payments: ReceiptStoryFragment['payments'];
  readonly chosen: string;
  readonly onChoose: (sender: string) => void;
}

/** The wallets that have paid, each with its sum, if they are several. */
function Senders({ payments, chosen, onChoose }: SendersProps) {
  const senders = [...Map.groupBy(payments, ({ sender }) => sender)].flatMap(([sender, sent]) =>
    sender === null ? [] : [{ sender, sum: sent.map(tokenText).join(' + ') }],
  );
  if (senders.length < 2) return null;
  return (
    <fieldset class="kinds">
      <legend class="field-label">{words.refund.senders}</legend>
      {senders.map(({ sender, sum }) => (
        <label class="check" key={sender}>
          <input type="radio" name="sender" checked={chosen === sender} onChange={() => onChoose(sender)} />
          <span class="number">
            {shortHash(sender)}: {sum}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const REASONS = Object.keys(words.refund.reasons) as RefundReason[];

/** The most characters of a note, as the API has it. */
const MAX_NOTE = 500;

interface CostProps {
  readonly receipt: ReceiptStoryFragment;
  readonly drafts: RefundDraftsQuery['refundDrafts'];
}

/** What the refund costs the shop: of each token that goes out, how much of the payment had come to it. */
function Cost({ receipt, drafts }: CostProps) {
  return (
    <>
      {drafts.map((draft) => (
        <p key={`${draft.chainId}${draft.token}`} class="note refund-cost">
          {costText(receipt, draft)}
        </p>
      ))}
    </>
  );
}

interface RefundFormProps {
  readonly receipt: ReceiptStoryFragment;
  readonly refunding: ReturnType<typeof useRefunds>;
  readonly onClose: () => void;
}

function RefundForm({ receipt, refunding, onClose }: RefundFormProps) {
  const { receiptId, refundableUsd, buyerWallet, payments } = receipt;
  const { wallets } = useInside();
  const most = ownAmount(receipt, refundableUsd);
  const [typed, setTyped] = useState(numberText(most.amount, 'money'));
  const [buyer, setBuyer] = useState(buyerWallet ?? '');
  const amount = numberFrom(typed, 'money', most.currency) || null;
  const isAmount = amount !== null && amount <= most.amount;
  // All that is left is refunded to the cent, however it rounds in another currency.
  const usd = amount === most.amount ? refundableUsd : Math.min(usdOf(receipt, amount ?? 0), refundableUsd);
  const isWallet = /^0x[0-9a-f]{40}$/i.test(buyer.trim());
  const isPossible = isAmount && usd > 0 && isWallet;
  const [reason, setReason] = useState<RefundReason | null>(null);
  const [note, setNote] = useState('');
  const isNoted = note.length <= MAX_NOTE;
  const order = { receiptId, usd, buyer: buyer.trim() };
  const { data, problem } = useRead(RefundDrafts, order, { pause: !isPossible });
  const drafts = data?.refundDrafts;
  const { busy } = refunding;
  return (
    <>
      <NumberField
        label={words.refund.amount({ currency: most.currency })}
        value={typed}
        kind="money"
        currency={most.currency}
        hint={words.refund.atMost({ amount: ownText(receipt, refundableUsd) })}
        problem={isAmount ? null : words.refund.badAmount}
        onInput={setTyped}
      />
      <Input
        label={words.refund.buyer}
        value={buyer}
        hint={buyerWallet && buyer === buyerWallet ? words.refund.paidFrom : words.refund.askBuyer}
        problem={buyer !== '' && !isWallet ? words.refund.badWallet : null}
        onInput={setBuyer}
      />
      <Senders payments={payments} chosen={buyer.trim().toLowerCase()} onChoose={setBuyer} />
      <LabelledSelect
        label={words.refund.reason}
        value={reason ?? ''}
        onChange={(value) => setReason((value || null) as RefundReason | null)}
      >
        <option value="">{words.refund.noReason}</option>
        {REASONS.map((one) => (
          <option key={one} value={one}>
            {words.refund.reasons[one]}
          </option>
        ))}
      </LabelledSelect>
      <Input
        label={words.refund.note}
        hint={words.refund.noteHint}
        value={note}
        problem={isNoted ? null : words.refund.noteTooLong}
        onInput={setNote}
      />
      <p class="note" role="status">
        {isPossible && drafts
          ? words.refund.willSend({
              amount: drafts.map(tokenText).join(' + '),
              buyer: shortHash(order.buyer),
            })
          : words.refund.explain}
      </p>
      {isPossible && drafts && <Cost receipt={receipt} drafts={drafts} />}
      {isPossible && drafts?.some(({ direct }) => direct) && <p class="note">{words.refund.direct}</p>}
      {problem !== null && isPossible && <ErrorNote problem={problem} />}
      <ErrorNote problem={refunding.problem} />
      {busy === null ? (
        <div class="dialog-actions">
          <Button onClick={onClose}>{words.cancel}</Button>
          <WalletPicker
            wallets={wallets}
            disabled={!isPossible || !isNoted}
            onPick={(provider) => void refunding.send([{ ...order, reason, note: note.trim() || null }], provider)}
          >
            {words.refund.send}
          </WalletPicker>
        </div>
      ) : (
        <div class="dialog-actions">
          <Button kind="primary" busy>
            {busy}
          </Button>
        </div>
      )}
    </>
  );
}
