import { useLocation } from 'preact-iso';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { pageVariables } from '../client/rows.tsx';
import { PaymentLinks } from '../generated/links.ts';
import { words } from '../shared/words.ts';
import { LinkState, Sold } from './state.tsx';

const ADD = '/console/new?as=link';

/** The links that make a receipt of each visit, and what each has sold. */
export default function LinksPage() {
  const { query } = useLocation();
  const mayWrite = useRights().may('receipts_write');
  const read = useRead(PaymentLinks, pageVariables(query));
  return (
    <>
      <PageHead title={words.links.title} lead={words.links.lead}>
        {mayWrite && (
          <Button kind="primary" href={ADD}>
            {words.links.add}
          </Button>
        )}
      </PageHead>
      <LoadedRows
        read={read}
        of={read.data?.paymentLinks}
        place={4}
        label={words.links.title}
        empty={{
          title: words.links.none,
          text: words.links.noneText,
          ...(mayWrite && { action: { href: ADD, text: words.links.add } }),
        }}
        row={(link) => (
          <li key={link.id} class="row plan-row">
            <a class="row-link cut" href={`/console/links/${link.linkId}`}>
              <bdi>{link.name}</bdi>
            </a>
            <LinkState link={link} />
            <span class="row-end">
              <Sold link={link} />
            </span>
          </li>
        )}
      />
    </>
  );
}
