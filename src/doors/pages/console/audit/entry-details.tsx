import type { ComponentChildren } from 'preact';
import type { MemberRole } from '../../../../base/core/roles.ts';
import { shortHash } from '../../shared/amounts.ts';
import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { Hash } from '../client/hash.tsx';
import { Money } from '../client/money.tsx';
import { changeQuery } from '../client/query.ts';
import { Facts } from '../client/section.tsx';
import { When } from '../client/when.tsx';
import type { AuditRowFragment } from '../generated/audit.ts';
import { locale, wordFor, words } from '../shared/words.ts';
import { changesIn } from './changes.ts';
import { actorText, type Names } from './names.ts';

interface EntryDetailsProps {
  /** Null: the dialog is closed. */
  readonly entry: AuditRowFragment | null;
  readonly names: Names;
  /** The address of the list. */
  readonly url: string;
  readonly onClose: () => void;
}

/** One change: who made it, from where, and each value before and after. */
export function EntryDetails({ entry, names, url, onClose }: EntryDetailsProps) {
  return (
    <Dialog open={entry !== null} title={entry ? words.audit.actions[entry.action] : ''} onClose={onClose}>
      {entry && <Entry entry={entry} names={names} url={url} />}
    </Dialog>
  );
}

function Entry({ entry, names, url }: Omit<EntryDetailsProps, 'onClose'> & { readonly entry: AuditRowFragment }) {
  const { number, at, actor, objectType, objectId, address, userAgent, erased } = entry;
  const by = actorText(actor);
  const rest = { do: '', on: '', after: '', before: '' };
  return (
    <>
      <Facts
        facts={[
          [words.audit.who, <ActorName key="who" actor={actor} names={names} />],
          [words.audit.when, <When key="when" at={at} />],
          [words.audit.object, <ObjectName key="object" type={objectType} id={objectId} />],
          [words.audit.from, erased ? words.audit.erased : address],
          [words.audit.device, userAgent],
          [words.audit.number, number],
        ]}
      />
      <h3>{words.audit.changes}</h3>
      <ChangeList entry={entry} names={names} />
      <div class="dialog-actions">
        {by !== null && (
          <Button href={changeQuery(url, { ...rest, who: by, what: '', object: '', period: '' })}>
            {words.audit.byActor}
          </Button>
        )}
        <Button
          href={changeQuery(url, { ...rest, object: `${objectType}:${objectId}`, who: '', what: '', period: '' })}
        >
          {words.audit.ofObject}
        </Button>
      </div>
    </>
  );
}

/** Who made a change: by name, with the whole wallet as the title. */
export function ActorName({ actor, names }: { readonly actor: AuditRowFragment['actor']; readonly names: Names }) {
  const text = actorText(actor);
  return (
    <bdi title={actor.wallet ?? actor.keyId ?? undefined}>
      {text === null ? words.audit.actors.other : names.of(text)}
    </bdi>
  );
}

/** The kind of an object and its id. */
export function ObjectName({ type, id }: { readonly type: AuditRowFragment['objectType']; readonly id: string }) {
  return (
    <>
      {words.audit.objects[type]} <Hash hash={id} />
    </>
  );
}

const HEX = /^0x[0-9a-f]{16,}$/i;
/** Fields whose whole numbers are moments, if they are as large as one. */
const MOMENT = /(At|From|To|^before)$/;
const EARLIEST_MOMENT = 1e12;
const HOUR_MS = 3_600_000;

const STATES: Readonly<Record<string, string>> = {
  ...words.statuses,
  voided: words.endedStatus,
  ...words.plans.states,
};
/** Fields whose values have a word, the one of every other page. Before and after are those of a receipt. */
const WORDED: Readonly<Record<string, (value: string) => string | undefined>> = {
  status: (value) => STATES[value],
  before: (value) => STATES[value],
  after: (value) => STATES[value],
  role: (value) => words.roles[value as MemberRole]?.name,
};

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });

/** What was changed, before and after. */
function ChangeList({ entry, names }: { readonly entry: AuditRowFragment; readonly names: Names }) {
  const changes = changesIn(entry.changes);
  if (changes.length === 0) return <p class="soft">{words.audit.noChange}</p>;
  return (
    <ul class="changes" aria-label={words.audit.changes}>
      {changes.map(({ path, before, after }) => (
        <li key={path.join('.')}>
          <p class="change-name" title={path.find((field) => HEX.test(field))}>
            {path.map((field) => names.walletOf(field) ?? fieldName(field)).join(' › ')}
          </p>
          <dl>
            <dt>{words.audit.before}</dt>
            <dd>
              <Value field={path.at(-1) ?? ''} value={before} names={names} />
            </dd>
            <dt>{words.audit.after}</dt>
            <dd>
              <Value field={path.at(-1) ?? ''} value={after} names={names} />
            </dd>
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** `minMinutes` → `Min minutes`. Ids and addresses are shortened. */
function fieldName(field: string): string {
  const known = wordFor(words.audit.fields, field);
  if (known) return known;
  if (HEX.test(field)) return shortHash(field);
  const spaced = field.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

interface ValueProps {
  readonly field: string;
  readonly value: unknown;
  readonly names: Names;
}

function Value({ field, value, names }: ValueProps): ComponentChildren {
  if (value === null || value === undefined || value === '') return <span class="soft">{words.audit.nothing}</span>;
  if (typeof value === 'boolean') return value ? words.audit.yes : words.audit.no;
  if (typeof value === 'number') return <NumberValue field={field} value={value} />;
  if (typeof value === 'string') {
    const name = names.walletOf(value) ?? WORDED[field]?.(value) ?? null;
    return HEX.test(value) && name === null ? (
      <Hash hash={value} />
    ) : (
      <bdi title={name === null ? undefined : value}>{name ?? value}</bdi>
    );
  }
  if (!Array.isArray(value)) return <MemberValues value={value} names={names} />;
  if (value.length === 0) return <span class="soft">{words.audit.nothing}</span>;
  if (value.every((one) => typeof one === 'string')) return <bdi>{value.join(', ')}</bdi>;
  return (
    <ul>
      {value.map((one) => (
        <li key={JSON.stringify(one)}>
          <Value field={field} value={one} names={names} />
        </li>
      ))}
    </ul>
  );
}

function NumberValue({ field, value }: { readonly field: string; readonly value: number }): ComponentChildren {
  if (MOMENT.test(field) && value >= EARLIEST_MOMENT) return <When at={value} />;
  if (field.endsWith('Bps')) return percents.format(value / 10_000);
  if (field.endsWith('Pct')) return percents.format(value / 100);
  if (field === 'rate') return percents.format(value);
  if (field.endsWith('Cents')) return <Money amount={value / 100} />;
  if (field.endsWith('Usd')) return <Money amount={value} />;
  if (!field.endsWith('Ms')) return numbers.format(value);
  const [unit, ms] = value % HOUR_MS === 0 ? (['hours', HOUR_MS] as const) : (['minutes', 60_000] as const);
  return words.audit[unit]({ count: value / ms });
}

function MemberValues({ value, names }: { readonly value: object; readonly names: Names }) {
  return (
    <>
      {Object.entries(value).map(([name, member], n) => (
        <span key={name}>
          {n > 0 && ' · '}
          {fieldName(name)}: <Value field={name} value={member} names={names} />
        </span>
      ))}
    </>
  );
}
