import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { buyerText } from '../client/buyer.ts';
import { ConfirmWrite } from '../client/confirm.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { Hash } from '../client/hash.tsx';
import { moneyText, tokenText } from '../client/money-text.ts';
import { ownText } from '../client/own-amount.ts';
import { Facts } from '../client/section.tsx';
import { ReceiptStatusMark } from '../client/status.tsx';
import { summary } from '../client/summary.ts';
import { When } from '../client/when.tsx';
import { Candidate, MarkForReturn, type UnmatchedMoneyFragment } from '../generated/unmatched.ts';
import { words } from '../shared/words.ts';
import { AssignDialog } from './assign-dialog.tsx';

interface TransferProps {
  readonly transfer: UnmatchedMoneyFragment;
}

/** A transfer, the receipts that it may belong to side by side, and what can be done. */
export function TransferCard({ transfer }: TransferProps) {
  const { state, at, sender, senderUrl, transactionHash, transactionUrl } = transfer;
  const { id, reason, candidates, refundMarkedAt } = transfer;
  const { isOpen, open, close } = useDialogs();
  const mayMove = useRights().may('money');
  // What came for a receipt that is paid already most likely goes back.
  const returns = reason === 'duplicate';
  return (
    <li class="card transfer">
      <div class="transfer-head">
        <p class="transfer-amount number">{tokenText(transfer)}</p>
        <p class="soft">
          <When at={at} /> · {words.unmatched.reasons[reason]}
        </p>
      </div>
      <Facts
        facts={[
          [words.unmatched.sender, sender === null ? words.unmatched.contract : <Hash hash={sender} url={senderUrl} />],
          [words.receipt.transaction, transactionHash !== null && <Hash hash={transactionHash} url={transactionUrl} />],
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
                kind={returns ? 'quiet' : 'primary'}
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
          <Button kind={state === 'open' && returns ? 'primary' : 'quiet'} onClick={() => open('return', id)}>
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
              known={receiptId}
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
  readonly kind: 'primary' | 'quiet';
  readonly candidate: UnmatchedMoneyFragment['candidates'][number];
  /** Null: the role may not assign it. */
  readonly onAssign: (() => void) | null;
}

function CandidateCard({ candidate, kind, onAssign }: CandidateProps) {
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
        <Button kind={kind} onClick={onAssign}>
          {words.unmatched.assign}
        </Button>
      )}
    </li>
  );
}

interface ReturnProps extends TransferProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

function ReturnDialog({ transfer, open, onClose }: ReturnProps) {
  const { state, sender, chainId, recordedHash, logIndex } = transfer;
  const marked = state === 'open';
  return (
    <ConfirmWrite
      open={open}
      title={marked ? words.unmatched.markTitle : words.unmatched.unmarkTitle}
      action={marked ? words.unmatched.markReturn : words.unmatched.unmark}
      onClose={onClose}
      write={MarkForReturn}
      variables={{ chainId, recordedHash, logIndex, marked }}
    >
      <p>
        {!marked
          ? words.unmatched.unmarkText
          : sender === null
            ? words.unmatched.markContractText({ amount: tokenText(transfer) })
            : words.unmatched.markText({ amount: tokenText(transfer), sender: shortHash(sender) })}
      </p>
    </ConfirmWrite>
  );
}
