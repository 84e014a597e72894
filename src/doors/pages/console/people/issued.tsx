import { useState } from 'preact/hooks';
import { covers, type MemberRole, neededForKinds, neededForScopes } from '../../../../base/core/roles.ts';
import type { Scope } from '../../../../base/core/scopes.ts';
import { useRead } from '../client/ask.ts';
import { ErrorNote } from '../client/error-note.tsx';
import { Check } from '../client/field.tsx';
import { SkeletonRows } from '../client/rows.tsx';
import { MemberIssued, type MemberIssuedQuery } from '../generated/people.ts';
import { words } from '../shared/words.ts';

/** What ends with a member's rights, and what of it is kept. */
export interface Issued {
  readonly data: MemberIssuedQuery['issuedBy'] | undefined;
  readonly problem: string | null;
  readonly kept: ReadonlySet<string>;
  keep(id: string, kept: boolean): void;
  again(): void;
  /** The variables of the mutation. Null: the list is not known yet, so nothing may be decided. */
  readonly variables: { readonly keepKeys: string[]; readonly keepEndpoints: string[] } | null;
}

/**
 * Reads what a member issued and what ends if it has another role.
 *
 * @param left the role that it has then; null: none
 */
export function useIssued(wallet: string, left: MemberRole | null): Issued {
  const { data: read, problem, again } = useRead(MemberIssued, { wallet });
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const issued = read?.issuedBy;
  const data = issued && {
    keys: issued.keys.filter(({ scopes }) => !staysWith(left, neededForScopes(scopes.map(scopeOf)))),
    endpoints: issued.endpoints.filter(({ kinds }) => !staysWith(left, neededForKinds(kinds))),
  };
  const keep = (id: string, on: boolean) => {
    const next = new Set(kept);
    if (on) next.add(id);
    else next.delete(id);
    setKept(next);
  };
  const variables = data
    ? {
        keepKeys: data.keys.map(({ keyId }) => keyId).filter((id) => kept.has(id)),
        keepEndpoints: data.endpoints.map(({ id }) => id).filter((id) => kept.has(id)),
      }
    : null;
  return { data, problem, kept, keep, again, variables };
}

const staysWith = (role: MemberRole | null, needed: Parameters<typeof covers>[1]) =>
  role !== null && covers(role, needed);

/** The name of a scope in the API for its name in the schema. */
const scopeOf = (name: string) => name.replace('_', ':') as Scope;

/** The list of what ends, with the choice to keep it. */
export function IssuedChoice({ issued: { data, problem, kept, keep, again } }: { readonly issued: Issued }) {
  if (problem !== null) return <ErrorNote problem={problem} again={again} />;
  if (!data) return <SkeletonRows count={1} />;
  if (data.keys.length + data.endpoints.length === 0) return null;
  return (
    <fieldset class="issued">
      <legend class="field-label">{words.people.issued}</legend>
      <p class="soft">{words.people.issuedText}</p>
      {data.keys.map(({ keyId, label, scopes }) => (
        <Check key={keyId} checked={kept.has(keyId)} onChange={(on) => keep(keyId, on)}>
          {words.people.keepKey} <bdi>{label ?? keyId}</bdi>{' '}
          <span class="soft">· {scopes.map((scope) => words.developers.scopes[scope]).join(', ')}</span>
        </Check>
      ))}
      {data.endpoints.map(({ id, url, kinds }) => (
        <Check key={id} checked={kept.has(id)} onChange={(on) => keep(id, on)}>
          {words.people.keepEndpoint} <bdi class="issued-url">{url}</bdi>{' '}
          <span class="soft">· {kinds.includes('*') ? words.people.everyKind : kinds.join(', ')}</span>
        </Check>
      ))}
    </fieldset>
  );
}
