import { useState } from 'preact/hooks';
import { shortHash } from '../../shared/amounts.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Dialog } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { NumberField, Select } from '../client/field.tsx';
import { FormActions } from '../client/form-actions.tsx';
import { moneyText, tokenText } from '../client/money-text.ts';
import { ownText } from '../client/own-amount.ts';
import { SearchBox } from '../client/search-box.tsx';
import { Facts } from '../client/section.tsx';
import { rangeOf, useShopZone } from '../client/shop-zone.ts';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { numberFrom } from '../client/typed-number.ts';
import { When } from '../client/when.tsx';
import {
  AssignableReceipts,
  type AssignableReceiptsQuery,
  AssignmentPreview,
  AssignTransfer,
  type ReceiptFilter,
  type UnmatchedMoneyFragment,
} from '../generated/unmatched.ts';
import { words } from '../shared/words.ts';

interface AssignDialogProps {
  readonly transfer: UnmatchedMoneyFragment;
  /** The receipt; it is searched for without it. */
  readonly known?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Assigns a transfer: to a receipt that is found first, after what it would do is shown. */
export function AssignDialog({ open, onClose, ...assignment }: AssignDialogProps) {
  return (
    <Dialog open={open} title={words.unmatched.assignTitle} onClose={onClose}>
      <AssignForm {...assignment} onClose={onClose} />
    </Dialog>
  );
}

function AssignForm({ transfer, known, onClose }: Omit<AssignDialogProps, 'open'>) {
  const { busy, problem, send } = useWrite(AssignTransfer);
  const [chosen, setChosen] = useState(known ?? null);
  const [rate, setRate] = useState('');
  const { chainId, recordedHash, logIndex, reason, token } = transfer;
  const perToken = numberFrom(rate, 'rate', 'USD');
  const isRated = reason !== 'no_rate' || perToken !== null;
  const usdPerToken = reason === 'no_rate' && perToken !== null ? perToken.toFixed(8) : null;
  const assign = async () => {
    if (chosen === null || !isRated) return;
    if (await send({ chainId, recordedHash, logIndex, receiptId: chosen, usdPerToken })) onClose();
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void assign();
      }}
    >
      {known === undefined && <ReceiptSearch chosen={chosen} onChoose={setChosen} />}
      {reason === 'no_rate' && (
        <NumberField
          label={words.unmatched.rate({ token })}
          kind="rate"
          currency="USD"
          hint={words.unmatched.rateHint}
          value={rate}
          onInput={setRate}
        />
      )}
      {chosen !== null && isRated && (
        <Preview key={chosen} transfer={transfer} receiptId={chosen} usdPerToken={usdPerToken} />
      )}
      <ErrorNote problem={problem} />
      <FormActions
        action={words.unmatched.assign}
        busy={busy}
        disabled={chosen === null || !isRated}
        onCancel={onClose}
      />
    </form>
  );
}

/** The statuses in which a receipt takes money. */
const TAKES: ReceiptFilter['statuses'] = ['generated', 'pending', 'tx_mismatch', 'failed'];

const PERIODS = ['any', 'today', 'week'] as const;

/** What is searched for: an amount by itself, or words. */
function filterFor(text: string, period: string, zone: string): ReceiptFilter {
  const total = numberFrom(text, 'money', 'USD');
  const { from } = rangeOf({ period }, { now: new Date(), zone });
  return {
    statuses: TAKES,
    ...(total !== null ? { totalMin: total, totalMax: total } : text.trim() && { q: text.trim() }),
    ...(from === undefined ? {} : { createdFrom: from }),
  };
}

interface ReceiptSearchProps {
  readonly chosen: string | null;
  readonly onChoose: (receiptId: string) => void;
}

/** Receipts that take money, by e-mail, name, amount, reference or time. */
function ReceiptSearch({ chosen, onChoose }: ReceiptSearchProps) {
  const [text, setText] = useState('');
  const [period, setPeriod] = useState('any');
  const zone = useShopZone() ?? 'UTC';
  const { data, problem, again } = useRead(AssignableReceipts, { filter: filterFor(text, period, zone) });
  const found = data?.receipts.nodes ?? [];
  return (
    <div class="form">
      <search class="filters">
        <SearchBox q="" label={words.receipts.search} hint={words.unmatched.searchHint} onSearch={setText} />
        <Select label={words.period.label} value={period} onChange={setPeriod}>
          {PERIODS.map((name) => (
            <option key={name} value={name}>
              {words.period.names[name]}
            </option>
          ))}
        </Select>
      </search>
      <ErrorNote problem={problem} again={again} />
      <fieldset class="found-receipts">
        <legend class="field-label">{words.unmatched.found}</legend>
        {data && found.length === 0 && <p class="soft">{words.unmatched.noneFound}</p>}
        {found.map((receipt) => (
          <label key={receipt.id} class="check choice">
            <input
              type="radio"
              name="receipt"
              checked={chosen === receipt.receiptId}
              onChange={() => onChoose(receipt.receiptId)}
            />
            <Found receipt={receipt} />
          </label>
        ))}
      </fieldset>
    </div>
  );
}

function Found({ receipt }: { readonly receipt: AssignableReceiptsQuery['receipts']['nodes'][number] }) {
  const { firstName, lastName, email } = receipt.billingAddress ?? {};
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const who = [name, email].filter(Boolean).join(', ') || (receipt.buyerWallet && shortHash(receipt.buyerWallet));
  return (
    <span>
      <strong class="number">{ownText(receipt)}</strong> <ReceiptStatusMark status={receipt.status} />
      <span class="soft found-about">
        {[who || receipt.transactionId || receipt.receiptId, summary(receipt)].filter(Boolean).join(' · ')} ·{' '}
        <When at={receipt.createdAt} />
      </span>
    </span>
  );
}

interface PreviewProps extends Pick<AssignDialogProps, 'transfer'> {
  readonly receiptId: string;
  readonly usdPerToken: string | null;
}

/** The money and the receipt side by side, and what the assignment would do. */
function Preview({ transfer, receiptId, usdPerToken }: PreviewProps) {
  const { chainId, recordedHash, logIndex, sender, at } = transfer;
  const read = useRead(AssignmentPreview, { chainId, recordedHash, logIndex, receiptId, usdPerToken });
  const preview = read.data?.assignmentPreview;
  if (!preview) return <ErrorNote problem={read.problem} again={read.again} />;
  const { missingUsd, surplusUsd, status } = preview;
  const usd = (text: string) => moneyText(Number(text));
  const outcome =
    Number(missingUsd) > 0
      ? words.unmatched.wouldMiss({ amount: usd(missingUsd) })
      : Number(surplusUsd) > 0
        ? words.unmatched.wouldExceed({ amount: usd(surplusUsd) })
        : words.unmatched.wouldPay;
  return (
    <>
      <div class="assignment">
        <section aria-label={words.unmatched.money}>
          <h3>{words.unmatched.money}</h3>
          <Facts
            facts={[
              [words.unmatched.amount, tokenText(transfer)],
              [words.unmatched.counts, usd(preview.countsUsd)],
              [
                words.unmatched.sender,
                <span key="sender" class="mono">
                  {sender === null ? words.unmatched.contract : shortHash(sender)}
                </span>,
              ],
              [words.unmatched.arrived, <When key="at" at={at} />],
            ]}
          />
        </section>
        <section aria-label={words.unmatched.receipt}>
          <h3>{words.unmatched.receipt}</h3>
          <Facts
            facts={[
              [words.receipt.total, moneyText(preview.totalUsd)],
              [words.unmatched.before, usd(preview.beforeUsd)],
              [words.unmatched.after, usd(preview.receivedUsd)],
              [words.receipt.state, words.statuses[status]],
            ]}
          />
        </section>
      </div>
      <p class="note" role="status">
        {outcome} {words.unmatched.undoable}
      </p>
    </>
  );
}
