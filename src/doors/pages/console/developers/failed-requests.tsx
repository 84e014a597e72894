import { useEffect } from 'preact/hooks';
import { useRead } from '../client/ask.ts';
import { LoadedRows } from '../client/loaded.tsx';
import { Section } from '../client/section.tsx';
import { Status } from '../client/status.tsx';
import { When } from '../client/when.tsx';
import { FailedRequests, type FailedRequestsQuery } from '../generated/developers.ts';
import { words } from '../shared/words.ts';

/** The time between two reads of the list. */
const READ_MS = 10_000;

/** The requests to the API that failed. A new one appears by itself. */
export function FailedRequestList() {
  const read = useRead(FailedRequests, {});
  const { again } = read;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, READ_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <Section title={words.developers.failed}>
      <p class="section-lead">{words.developers.failedLead}</p>
      <LoadedRows
        read={read}
        of={read.data?.failedRequests}
        place={3}
        label={words.developers.failed}
        empty={{ title: words.developers.noFailed, text: words.developers.noFailedText }}
        row={(request) => <FailedRequestRow key={request.id} request={request} />}
      />
    </Section>
  );
}

type FailedRequest = NonNullable<FailedRequestsQuery['failedRequests']>[number];

function FailedRequestRow({ request }: { readonly request: FailedRequest }) {
  const { at, operation, status, code, field, correlationId, keyId, keyLabel } = request;
  return (
    <li class="row failed-row">
      <span class="failed-what">
        <code>{operation}</code>
        <span class="soft">{keyLabel ?? keyId ?? words.developers.byMember}</span>
      </span>
      <span class="failed-what">
        <Status tone={status >= 500 ? 'bad' : 'warn'}>
          {status}{' '}
          <a href={`/docs/errors#${code}`} target="_blank" rel="noopener noreferrer">
            {code}
          </a>
          {field !== null && <code> {field}</code>}
        </Status>
        <code class="soft">{correlationId}</code>
      </span>
      <span class="soft row-end">
        <When at={at} />
      </span>
    </li>
  );
}
