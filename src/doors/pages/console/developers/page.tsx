import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { Button } from '../client/button.tsx';
import { useDialogs } from '../client/dialog.tsx';
import { LoadedRows } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { pageVariables, Rows } from '../client/rows.tsx';
import { Section } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import { type KeyRowFragment, Keys } from '../generated/developers.ts';
import { words } from '../shared/words.ts';
import { FailedRequestList } from './failed-requests.tsx';
import { IssueKeyDialog, NewKey } from './issue-key.tsx';
import { KeyDetails, KeyMark } from './key-details.tsx';

/** What a shop's developers need: keys, and the reference of the API. */
export default function DevelopersPage() {
  const { query } = useLocation();
  const dialogs = useDialogs();
  const [secret, setSecret] = useState<string | null>(null);
  const read = useRead(Keys, pageVariables(query));
  const keys = read.data?.keys;
  const opened = keys?.nodes.find(
    ({ keyId }) => keyId === (dialogs.recordOf('key') ?? dialogs.recordOf('rotate') ?? dialogs.recordOf('revoke')),
  );
  return (
    <>
      <PageHead title={words.developers.title} lead={words.developers.lead}>
        <Button kind="primary" href={dialogs.hrefOf('issue')}>
          {words.developers.issue}
        </Button>
      </PageHead>
      <Section title={words.developers.keys}>
        <LoadedRows
          read={read}
          of={keys}
          place={3}
          label={words.developers.keys}
          empty={{
            title: words.developers.noKey,
            text: words.developers.noKeyText,
            action: { href: dialogs.hrefOf('issue'), text: words.developers.issueFirst },
          }}
          row={(key) => <KeyRow key={key.id} developerKey={key} href={dialogs.hrefOf('key', key.keyId)} />}
        />
      </Section>
      <FailedRequestList />
      <Reference />
      <IssueKeyDialog open={dialogs.isOpen('issue')} onClose={dialogs.close} onSecret={setSecret} />
      {opened && <KeyDetails developerKey={opened} onSecret={setSecret} />}
      <NewKey secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function KeyRow({ developerKey, href }: { readonly developerKey: KeyRowFragment; readonly href: string }) {
  const { label, keyId, writes, lastUsedAt } = developerKey;
  return (
    <li class="row key-row">
      <a class="row-link cut" href={href}>
        {label ?? keyId}
      </a>
      <span class="soft cut">{writes ? words.developers.readsAndWrites : words.developers.reads}</span>
      <KeyMark developerKey={developerKey} />
      <span class="soft row-end">{lastUsedAt === null ? words.developers.neverUsed : <When at={lastUsedAt} />}</span>
    </li>
  );
}

const { links } = words.developers;
const LINKS = [
  ['/docs', links.rest],
  ['/docs/graphql', links.graphql],
  ['/api/graphql', links.graphiql],
  ['/docs/errors', links.errors],
  ['/api/schema.graphql', links.schema],
] as const;

function Reference() {
  return (
    <Section title={words.developers.reference}>
      <Rows label={words.developers.reference}>
        {LINKS.map(([href, { title, text }]) => (
          <li key={href} class="row link-row">
            <a class="row-link" href={href} target="_blank" rel="noopener noreferrer">
              {title}
            </a>
            <span class="soft">{text}</span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
