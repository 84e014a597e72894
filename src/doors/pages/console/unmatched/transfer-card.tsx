import { useState } from 'preact/hooks';
import { shortHash } from '../../shared/amounts.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { buyerText } from '../client/buyer.ts';
import { Confirm } from '../client/confirm.tsx';
import { ConfirmWrite } from '../client/confirm-write.tsx';
import { useDialogs } from '../client/dialogs.ts';
import { Facts } from '../client/facts.tsx';
import { Input } from '../client/field.tsx';
import { Hash } from '../client/hash.tsx';
import { moneyText } from '../client/money-text.ts';
import { NumberField } from '../client/number-field.tsx';
import { ownText } from '../client/own-amount.ts';
import { useRights } from '../client/rights.ts';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { numberFrom } from '../client/typed-number.ts';
import { When } from '../client/when.tsx';
import { AssignTransfer, Candidate, MarkForReturn, type UnmatchedMoneyFragment } from '../generated/unmatched.ts';
import { words } from '../shared/words.ts';

interface TransferProps {
  readonly transfer: UnmatchedMoneyFragment;
}

/** The amount and the token; the token alone if its decimals are not known any more. */
const amountOf = ({ display, token }: UnmatchedMoneyFragment): string =>
  display === null ? token : `${display} ${token}`;

/** A transfer, the receipts that it may belong to side by side, and what can be done. */
export function TransferCard({ transfer }: TransferProps) {
  const { state, at, sender, senderUrl, transactionHash, transactionUrl } = transfer;
  const { id, reason, candidates, refundMarkedAt } = transfer;
  const { isOpen, open, close } = useDialogs();
  const mayMove = useRights().may('money');
  return (
    <li class="card transfer">
      <div class="transfer-head">
        <p class="transfer-amount number">{amountOf(transfer)}</p>
        <p class="soft">
          <When at={at} /> · {words.unmatched.reasons[reason]}
        </p>
      </div>
      <Facts
        facts={[
          [words.unmatched.sender, <Hash hash={sender} url={senderUrl} />],
          [words.receipt.transaction, <Hash hash={transactionHash} url={transactionUrl} />],
          [words.unmatched.markedAt, refundMarkedAt !== null && <When at={refundMarkedAt} />],
        ]}
      />
      {state === 'open' && candidates.length > 0 && (
        <>
          <h2 class="candidates-title">{words.unmatched.candidates}</h2>
          <ul class="candidates">
            {candidates.map((candidate) => (
              <CandidateCard
                key={candidate.receiptId}
                candidate={candidate}
                onAssign={mayMove ? () => open('assign', `${id}/${candidate.receiptId}`) : null}
              />
            ))}
          </ul>
        </>
      )}
      {mayMove && (
        <div class="transfer-actions">
          {state === 'open' && (
            <Button onClick={() => open('assign-other', id)}>
              {candidates.length > 0 ? words.unmatched.assignOther : words.unmatched.assignAny}
            </Button>
          )}
          <Button kind={state === 'open' ? 'plain' : 'quiet'} onClick={() => open('return', id)}>
            {state === 'open' ? words.unmatched.markReturn : words.unmatched.unmark}
          </Button>
        </div>
      )}
      {mayMove && (
        <>
          {candidates.map(({ receiptId }) => (
            <AssignDialog
              key={receiptId}
              transfer={transfer}
              receiptId={receiptId}
              open={isOpen('assign', `${id}/${receiptId}`)}
              onClose={close}
            />
          ))}
          <AssignDialog transfer={transfer} open={isOpen('assign-other', id)} onClose={close} />
          <ReturnDialog transfer={transfer} open={isOpen('return', id)} onClose={close} />
        </>
      )}
    </li>
  );
}

interface CandidateProps {
  readonly candidate: UnmatchedMoneyFragment['candidates'][number];
  /** Null: the role may not assign it. */
  readonly onAssign: (() => void) | null;
}

function CandidateCard({ candidate, onAssign }: CandidateProps) {
  const { receiptId, status, totalUsd } = candidate;
  const { data } = useRead(Candidate, { receiptId });
  const receipt = data?.receipt;
  return (
    <li class="candidate">
      <p class="candidate-amount number">{receipt ? ownText(receipt) : moneyText(totalUsd)}</p>
      <ReceiptStatusMark status={status} />
      <p class="cut">
        <a href={`/console/receipts/${encodeURIComponent(receiptId)}`}>{receipt ? summary(receipt) : receiptId}</a>
      </p>
      <p class="soft cut">{receipt ? buyerText(receipt) : '\u00a0'}</p>
      <p class="soft">{receipt ? <When at={receipt.createdAt} /> : '\u00a0'}</p>
      {onAssign && (
        <Button kind="primary" onClick={onAssign}>
          {words.unmatched.assign}
        </Button>
      )}
    </li>
  );
}

interface AssignProps extends TransferProps {
  /** The receipt; its id is asked for without it. */
  readonly receiptId?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function AssignDialog({ transfer, receiptId: known, open, onClose }: AssignProps) {
  const { busy, problem, send } = useWrite(AssignTransfer);
  const [typed, setTyped] = useState('');
  const [rate, setRate] = useState('');
  const { transactionHash, logIndex, reason, token } = transfer;
  const perToken = numberFrom(rate, 'rate', 'USD');
  const usdPerToken = perToken === null ? null : perToken.toFixed(8);
  const receiptId = known ?? typed.trim();
  return (
    <Confirm
      open={open}
      title={words.unmatched.assignTitle}
      action={words.unmatched.assign}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onConfirm={async () => {
        if (receiptId !== '' && (await send({ transactionHash, logIndex, receiptId, usdPerToken }))) onClose();
      }}
    >
      {known === undefined && <Input label={words.receipt.id} value={typed} onInput={setTyped} />}
      {reason === 'no_rate' && (
        <NumberField
          label={words.unmatched.rate(token)}
          kind="rate"
          currency="USD"
          hint={words.unmatched.rateHint}
          value={rate}
          onInput={setRate}
        />
      )}
      <p>{words.unmatched.assignText(amountOf(transfer), receiptId)}</p>
    </Confirm>
  );
}

interface ReturnProps extends TransferProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function ReturnDialog({ transfer, open, onClose }: ReturnProps) {
  const { state, sender, transactionHash, logIndex } = transfer;
  const marked = state === 'open';
  return (
    <ConfirmWrite
      open={open}
      title={marked ? words.unmatched.markTitle : words.unmatched.unmarkTitle}
      action={marked ? words.unmatched.markReturn : words.unmatched.unmark}
      onClose={onClose}
      write={MarkForReturn}
      variables={{ transactionHash, logIndex, marked }}
    >
      <p>{marked ? words.unmatched.markText(amountOf(transfer), shortHash(sender)) : words.unmatched.unmarkText}</p>
    </ConfirmWrite>
  );
}
