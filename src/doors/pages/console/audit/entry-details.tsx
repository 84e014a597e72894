import { Button } from '../client/button.tsx';
import { Dialog } from '../client/dialog.tsx';
import { Facts } from '../client/facts.tsx';
import { Hash } from '../client/hash.tsx';
import { changeQuery } from '../client/query.ts';
import { When } from '../client/when.tsx';
import type { AuditRowFragment } from '../generated/audit.ts';
import { words } from '../shared/words.ts';
import { ChangeList } from './change-list.tsx';
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
