import { shortHash } from '../../shared/amounts.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { payeeName } from '../client/buyer.ts';
import { CopyButton } from '../client/copy-button.tsx';
import { Hash } from '../client/hash.tsx';
import { Icon } from '../client/icon.tsx';
import { Money } from '../client/money.tsx';
import { tokenText } from '../client/money-text.ts';
import { Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { AddressRecords, type ReceiptStoryFragment } from '../generated/receipt.ts';
import { whyText } from '../refunds/why.ts';
import { locale, words } from '../shared/words.ts';

interface ReceiptProps {
  readonly receipt: ReceiptStoryFragment;
}

/** `2500` basis points as a percentage in the locale. */
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });

/** Who gets which part of the payment, to the base unit. */
export function Settlement({ receipt }: ReceiptProps) {
  const { settlement } = receipt;
  if (settlement.length === 0) return null;
  return (
    <Section title={words.receipt.settlement}>
      <Rows label={words.receipt.settlement}>
        {settlement.map((share) => (
          <li key={`${share.recipient}${share.token}`} class="row share-row">
            <Payee share={share} merchant={receipt.merchant} />
            <span class="soft">{percent.format(share.sharesBps / 10_000)}</span>
            <span class="soft share-state">
              {share.settledAt === null ? (
                share.selfRelease ? (
                  words.receipt.selfRelease
                ) : (
                  words.receipt.waits
                )
              ) : (
                <>
                  <When at={share.settledAt} />{' '}
                  {share.transactionHash && <Hash hash={share.transactionHash} url={share.transactionUrl} />}
                </>
              )}
            </span>
            <span class="row-end number">{tokenText(share)}</span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

interface PayeeProps {
  readonly share: ReceiptProps['receipt']['settlement'][number];
  readonly merchant: string;
}

/** Who gets a share: the shop and the operator by name, others by their address. */
function Payee({ share, merchant }: PayeeProps) {
  const name = payeeName(share, merchant);
  return (
    <span class={name === null ? 'mono cut' : undefined} title={share.recipient}>
      {name ?? shortHash(share.recipient)}
    </span>
  );
}

/** The receipt's addresses, each with the record that collects from it without this server. */
export function Addresses({ receiptId }: { readonly receiptId: string }) {
  const records = useRead(AddressRecords, { receiptId }, { again: false }).data?.addressRecords ?? [];
  if (records.length === 0) return null;
  return (
    <Section title={words.receipt.addresses}>
      <p class="section-lead">{words.receipt.addressesHint}</p>
      <Rows label={words.receipt.addresses}>
        {(records as readonly { address: string }[]).map((record) => (
          <li key={record.address} class="row address-row">
            <span class="mono cut" title={record.address}>
              {shortHash(record.address)}
            </span>
            <span class="row-end address-acts">
              <CopyButton text={JSON.stringify(record, null, 2)}>{words.receipt.copyRecord}</CopyButton>
              <Button href="/collect" away>
                <Icon name="out" />
                {words.receipt.collect}
              </Button>
            </span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}

/** The refunds of a receipt, requested and sent. */
export function Refunds({ receipt }: ReceiptProps) {
  const { refunds } = receipt;
  if (refunds.length === 0) return null;
  return (
    <Section title={words.receipt.refunds}>
      <Rows label={words.receipt.refunds}>
        {refunds.map(({ id, state, amount, currency, buyer, reason, note, createdAt, transactions }) => (
          <li key={id} class="row share-row">
            <span class="mono cut" title={buyer}>
              {shortHash(buyer)}
            </span>
            <Status tone={state === 'requested' ? 'warn' : 'muted'} open={state === 'requested'}>
              {words.refund.states[state]}
            </Status>
            <span class="soft share-state">
              <When at={createdAt} />{' '}
              {transactions.map(({ transactionHash, chainId, transactionUrl }) => (
                <Hash key={`${chainId}${transactionHash}`} hash={transactionHash} url={transactionUrl} />
              ))}
            </span>
            <span class="row-end">
              <Money amount={amount} currency={currency} />
            </span>
            {(reason || note) && <span class="soft refund-why">{whyText({ reason, note })}</span>}
          </li>
        ))}
      </Rows>
    </Section>
  );
}
