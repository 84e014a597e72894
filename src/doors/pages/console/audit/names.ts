import { shortHash } from '../../shared/amounts.ts';
import { useRights } from '../client/access.ts';
import { useRead } from '../client/ask.ts';
import { AuditNames, type AuditRowFragment } from '../generated/audit.ts';
import { words } from '../shared/words.ts';

type Actor = AuditRowFragment['actor'];

/** The names of those who make changes, as far as the role may read them. */
export interface Names {
  /** The callers that can be chosen, as the API writes them, with their names. */
  readonly known: ReadonlyMap<string, string>;
  /** The name of a caller, as the API writes it. */
  of(actor: string): string;
  /** The name of a wallet: a member's, or the operator's; null for another one. */
  walletOf(hex: string): string | null;
}

/** A caller as the filter of the API writes it; null for one that cannot be asked for. */
export function actorText({ kind, wallet, keyId }: Actor): string | null {
  if (kind === 'other') return null;
  const id = wallet ?? keyId;
  return id === null ? kind : `${kind}:${id}`;
}

/** The names of members, keys and the operator. */
export function useNames(): Names {
  const { may } = useRights();
  const [members, keys, split] = [may('members_read'), may('keys'), may('split')];
  const { data } = useRead(AuditNames, { members, keys, split }, { pause: !members && !keys && !split });
  const known = new Map<string, string>();
  for (const { wallet, label, self } of data?.members ?? [])
    known.set(`wallet:${wallet}`, self ? words.audit.you : (label ?? shortHash(wallet)));
  for (const { keyId, label } of data?.keys?.nodes ?? [])
    known.set(`key:${keyId}`, words.audit.keyNamed({ name: label ?? shortHash(keyId) }));
  known.set('command_line', words.audit.actors.command_line);
  known.set('server', words.audit.actors.server);
  const operators = (data?.split?.recipients ?? []).flatMap(({ address, platform }) => (platform ? address : []));
  const walletOf = (hex: string) =>
    known.get(`wallet:${hex}`) ?? (operators.includes(hex) ? words.start.platform : null);
  return { known, walletOf, of: (actor) => known.get(actor) ?? unnamed(actor) };
}

function unnamed(actor: string): string {
  const [kind, id = ''] = actor.split(':', 2);
  if (kind === 'wallet') return shortHash(id);
  return kind === 'key' ? words.audit.keyNamed({ name: shortHash(id) }) : actor;
}
