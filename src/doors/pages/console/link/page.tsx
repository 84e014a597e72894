import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead, useWrite } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { ConfirmWrite } from '../client/confirm.tsx';
import type { PageProps } from '../client/console-page.ts';
import { CopyButton } from '../client/copy-button.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { ErrorNote } from '../client/error-note.tsx';
import { Loaded, SkeletonCard } from '../client/loaded.tsx';
import { moneyText } from '../client/money-text.ts';
import { PageHead } from '../client/page-head.tsx';
import { Qr } from '../client/qr.tsx';
import { When } from '../client/when.tsx';
import { DeletePaymentLink, type LinkFieldsFragment, PaymentLinkById, SwitchPaymentLink } from '../generated/links.ts';
import { LinkState, Sold } from '../links/state.tsx';
import { words } from '../shared/words.ts';
import { buttonMarkup } from './button-markup.ts';

const LIST = '/console/links';

/** One payment link: its address, its code and its button, and what it has sold. */
export default function LinkPage({ params }: PageProps) {
  const { route } = useLocation();
  const dialogs = useDialogs();
  const linkId = params.linkId ?? '';
  const { data, ...read } = useRead(PaymentLinkById, { linkId });
  const link = data?.paymentLink ?? undefined;
  const mayWrite = useRights().may('receipts_write');
  return (
    <>
      <PageHead title={link?.name ?? words.links.one} up={{ href: LIST, title: words.links.title }}>
        {mayWrite && link && <Button href={dialogs.hrefOf('delete')}>{words.links.delete}</Button>}
      </PageHead>
      <Loaded read={read} of={link} place={<SkeletonCard kind="link-card" lines={1} />}>
        {(found) => <LinkCard link={found} mayWrite={mayWrite} />}
      </Loaded>
      <ConfirmWrite
        open={mayWrite && link !== undefined && dialogs.isOpen('delete')}
        title={words.links.deleteTitle({ name: link?.name ?? '' })}
        kind="danger"
        action={words.links.deleteForGood}
        write={DeletePaymentLink}
        variables={{ linkId }}
        onClose={dialogs.close}
        onDone={() => route(LIST, true)}
      >
        <p>{words.links.deleteText}</p>
      </ConfirmWrite>
    </>
  );
}

function LinkCard({ link, mayWrite }: { readonly link: LinkFieldsFragment; readonly mayWrite: boolean }) {
  const { linkId, url, name, items, amount, currency, active, endsAt, perDay, perAddress } = link;
  const { busy, problem, send } = useWrite(SwitchPaymentLink);
  const count = items?.reduce((sum, { qty }) => sum + qty, 0) ?? 0;
  return (
    <div class="card link-card">
      <Qr text={url} label={words.newPayment.code} />
      <div class="link-facts">
        <LinkState link={link} />
        <p>
          {amount === null ? words.links.products({ count }) : moneyText(amount, currency ?? 'USD')} ·{' '}
          <Sold link={link} />
        </p>
        <p class="mono link-text">{url}</p>
        <p class="soft">
          {perDay === null ? words.links.noLimit({ perAddress }) : words.links.limits({ perDay, perAddress })}{' '}
          {endsAt !== null && words.links.until} {endsAt !== null && <When at={endsAt} />}
        </p>
        <ErrorNote problem={problem} />
        <div class="link-actions">
          <CopyButton kind="primary" text={url}>
            {words.newPayment.copy}
          </CopyButton>
          <CopyButton text={buttonMarkup(url, name)}>{words.links.copyButton}</CopyButton>
          <Button href={url} away>
            {words.plans.look}
          </Button>
          <Button onClick={() => print()}>{words.newPayment.print}</Button>
          {mayWrite && (
            <Button busy={busy} onClick={() => void send({ linkId, active: !active })}>
              {active ? words.links.switchOff : words.links.switchOn}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}
