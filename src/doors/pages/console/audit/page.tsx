import { useLocation } from 'preact-iso';
import { useRead } from '../client/ask.ts';
import { useDialogs } from '../client/dialog.tsx';
import { Select } from '../client/field.tsx';
import { type EmptyProps, LoadedRows } from '../client/loaded.tsx';
import { PageHead } from '../client/page-head.tsx';
import { PeriodFilter } from '../client/period-filter.tsx';
import { changeQuery } from '../client/query.ts';
import { pageVariables } from '../client/rows.tsx';
import { useShopTime } from '../client/shop-zone.ts';
import { useStream } from '../client/stream.ts';
import { When } from '../client/when.tsx';
import { AuditLog, AuditNews, type AuditRowFragment } from '../generated/audit.ts';
import { words } from '../shared/words.ts';
import { ActorName, EntryDetails, ObjectName } from './entry-details.tsx';
import { type Names, useNames } from './names.ts';
import { ACTIONS_BY_CATEGORY, type AuditQuery, filterOf, isFiltered, objectIn } from './query.ts';

/** Who changed what in the shop, as it is recorded. */
export default function AuditPage() {
  const { query, url } = useLocation();
  const dialogs = useDialogs();
  const { after, before } = query;
  const { time, pause } = useShopTime(query);
  const names = useNames();
  const read = useRead(AuditLog, { filter: filterOf(query, time), ...pageVariables(query) }, { pause });
  const onNews = () => {
    if (!after && !before) read.again();
  };
  const [newest] = read.data?.newest.nodes ?? [];
  useStream(
    AuditNews,
    {},
    { onOpen: onNews, onData: onNews },
    { from: newest?.cursor, pause: read.data === undefined },
  );
  const log = read.data?.auditLog;
  const opened = log?.nodes.find(({ number }) => String(number) === dialogs.recordOf('entry'));
  return (
    <>
      <PageHead title={words.audit.title} lead={words.audit.lead} />
      <Filters query={query} names={names} />
      <ObjectNote query={query} url={url} />
      <LoadedRows
        read={read}
        of={log}
        label={words.audit.title}
        empty={noEntries(query)}
        row={(entry) => (
          <EntryRow key={entry.id} entry={entry} names={names} href={dialogs.hrefOf('entry', String(entry.number))} />
        )}
      />
      <EntryDetails entry={opened ?? null} names={names} url={url} onClose={dialogs.close} />
    </>
  );
}

function Filters({ query, names }: { readonly query: AuditQuery; readonly names: Names }) {
  const { url, route } = useLocation();
  const { what = '', who = '' } = query;
  // The list starts with its first page again.
  const change = (changes: AuditQuery) =>
    route(changeQuery(url, { ...changes, after: '', before: '', do: '', on: '' }), true);
  const callers = new Map(who === '' ? names.known : [...names.known, [who, names.of(who)]]);
  return (
    <search class="filters">
      <Select label={words.audit.what} value={what} onChange={(value) => change({ what: value })}>
        <option value="">{words.audit.everything}</option>
        {ACTIONS_BY_CATEGORY.map(([category, actions]) => (
          <optgroup key={category} label={words.audit.categories[category]}>
            <option value={category}>{words.audit.allOf({ category: words.audit.categories[category] })}</option>
            {actions.map((action) => (
              <option key={action} value={action}>
                {words.audit.actions[action]}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <Select label={words.audit.who} value={who} onChange={(value) => change({ who: value })}>
        <option value="">{words.audit.anyone}</option>
        {[...callers].map(([caller, name]) => (
          <option key={caller} value={caller}>
            {name}
          </option>
        ))}
      </Select>
      <PeriodFilter query={query} onChange={change} />
    </search>
  );
}

/** Says that the list is of one object only, and leads back to all. */
function ObjectNote({ query, url }: { readonly query: AuditQuery; readonly url: string }) {
  const about = objectIn(query.object);
  if (!about) return null;
  return (
    <p class="note audit-object">
      <span>
        {words.audit.only} <ObjectName type={about.type} id={about.id} />
      </span>
      <a href={changeQuery(url, { object: '', after: '', before: '', entry: '' })}>{words.audit.showAll}</a>
    </p>
  );
}

interface EntryRowProps {
  readonly entry: AuditRowFragment;
  readonly names: Names;
  readonly href: string;
}

function EntryRow({ entry, names, href }: EntryRowProps) {
  const { at, action, actor, objectType, objectId } = entry;
  return (
    <li class="row audit-row">
      <a class="row-link cut" href={href}>
        {words.audit.actions[action]}
      </a>
      <span class="audit-actor cut">
        <ActorName actor={actor} names={names} />
      </span>
      <span class="audit-about soft cut">
        <ObjectName type={objectType} id={objectId} />
      </span>
      <span class="row-end soft">
        <When at={at} />
      </span>
    </li>
  );
}

function noEntries(query: AuditQuery): EmptyProps {
  const { none, noneText, noneFound, noneFoundText, showAll } = words.audit;
  return isFiltered(query)
    ? { title: noneFound, text: noneFoundText, action: { href: '/console/audit', text: showAll } }
    : { title: none, text: noneText };
}
