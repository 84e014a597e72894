import { z } from 'zod';
import { merchantOf } from '../../core/caller.ts';
import { parseInput } from '../../core/input.ts';
import { builder, throughParent } from '../../graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../graphql/connection.ts';
import { GLOBAL_ID, globalId } from '../../graphql/global-id.ts';
import { live } from '../../graphql/live.ts';
import { SortOrder, vocabulary } from '../../graphql/vocabulary.ts';
import { AUDIT_ACTIONS, AUDIT_OBJECTS } from './actions.ts';
import { withPersonal } from './fields.ts';
import { auditFilter } from './filter.input.ts';
import { type AuditRecord, followAudit, listAudit } from './read-log.ts';

const AuditActionEnum = vocabulary('AuditAction', 'What the audit log records.', AUDIT_ACTIONS);
const AuditObjectEnum = vocabulary('AuditObject', 'The kind of object that a change is about.', AUDIT_OBJECTS);

const ACTOR_KINDS = {
  wallet: 'A signed-in wallet.',
  key: 'A developer key.',
  command_line: 'The operator, on the command line of the server.',
  server: 'The server itself, such as one of its workers.',
  other: 'Another caller, such as the page of a receipt.',
} as const;
const ActorKindEnum = vocabulary('AuditActorKind', 'Who made a change.', ACTOR_KINDS);

interface Actor {
  readonly kind: keyof typeof ACTOR_KINDS;
  readonly id: string | null;
}

function actorIn(text: string): Actor {
  const [kind, id] = text.split(':', 2) as [string, string | undefined];
  return { kind: kind in ACTOR_KINDS ? (kind as Actor['kind']) : 'other', id: id ?? null };
}

const AuditActorType = builder.objectRef<Actor>('AuditActor').implement({
  ...throughParent,
  description: 'Who made a change.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActorKindEnum, description: 'The kind of caller.' }),
    wallet: t.field({
      type: 'Wallet',
      nullable: true,
      description: 'The wallet, if a signed-in wallet made it.',
      resolve: ({ kind, id }) => (kind === 'wallet' ? id : null),
    }),
    keyId: t.id({
      nullable: true,
      description: 'The id of the key, if a key made it.',
      resolve: ({ kind, id }) => (kind === 'key' ? id : null),
    }),
  }),
});

interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

const AuditChangeType = builder.objectRef<Change>('AuditChange').implement({
  ...throughParent,
  description: 'A field that was changed.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name of the field.' }),
    before: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its value before; null if there was none.',
      resolve: ({ before }) => before,
    }),
    after: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Its value after; null if there is none.',
      resolve: ({ after }) => after,
    }),
  }),
});

function changesOf({ before, after, personal }: AuditRecord): Change[] {
  const values = personal?.values ?? null;
  const [old, current] = [withPersonal(before, values) ?? {}, withPersonal(after, values) ?? {}];
  const fields = [...new Set([...Object.keys(old), ...Object.keys(current)])];
  return fields.map((field) => ({ field, before: old[field] ?? null, after: current[field] ?? null }));
}

export const AuditEntryType = builder.objectRef<AuditRecord>('AuditEntry').implement({
  description: 'A recorded change: who changed what, when and from where.',
  authScopes: { may: 'audit:read', platform: true },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ merchant, position }) => globalId('AuditEntry', merchant, position),
    }),
    number: t.expose('position', {
      type: 'SafeInt',
      description: 'Its number in the log of the merchant, from 1 and without gaps.',
    }),
    at: t.expose('at', { type: 'Millis', description: 'When the change was made.' }),
    actor: t.field({ type: AuditActorType, description: 'Who made it.', resolve: ({ actor }) => actorIn(actor) }),
    action: t.expose('action', { type: AuditActionEnum, description: 'What was done.' }),
    objectType: t.expose('objectType', { type: AuditObjectEnum, description: 'The kind of object that it is about.' }),
    objectId: t.exposeID('objectId', { description: 'The id of that object.' }),
    changes: t.field({
      type: [AuditChangeType],
      description: 'The changed fields. Secrets are never among them.',
      resolve: changesOf,
    }),
    address: t.string({
      nullable: true,
      description: 'The address that the request came from; null if it is not known or was erased.',
      resolve: ({ personal }) => personal?.address ?? null,
    }),
    userAgent: t.string({
      nullable: true,
      description: 'What the client calls itself; null if it is not known or was erased.',
      resolve: ({ personal }) => personal?.userAgent ?? null,
    }),
    erased: t.boolean({
      description: 'Whether personal data of the entry was erased.',
      resolve: ({ personal }) => personal?.values === undefined,
    }),
    previousHash: t.exposeString('previousHash', { description: 'The hash of the entry before it.' }),
    hash: t.exposeString('hash', { description: 'The hash of the entry and all before it, SHA-256 in hex.' }),
    cursor: t.exposeString('cursor', { description: 'Where to resume the stream after this entry.' }),
  }),
});

export const AuditFilterInput = builder.inputType('AuditFilter', {
  description: 'Conditions on entries; all that are given must hold. Both ends of a range are included.',
  fields: (t) => ({
    actions: t.field({ type: [AuditActionEnum], description: 'One of these actions.' }),
    actor: t.string({
      description: 'Exactly this caller: `wallet:0x…`, `key:…`, `command_line` or `server`.',
    }),
    objectType: t.field({ type: AuditObjectEnum, description: 'Changes of objects of this kind.' }),
    objectId: t.id({ description: 'Changes of the object with this id.' }),
    from: t.field({ type: 'Millis', description: 'Made at this time or later.' }),
    to: t.field({ type: 'Millis', description: 'Made at this time or earlier.' }),
  }),
});

export const AuditOrderInput = builder.inputType('AuditOrder', {
  description: 'The order of entries, by their number.',
  fields: (t) => ({ direction: t.field({ type: SortOrder, description: 'Default: `desc`, the newest first.' }) }),
});

const filterArgument = z.object({ filter: auditFilter });

/** The conditions of a `filter` argument. Refuses with `invalid_input`. */
export const auditConditions = (filter: object | null | undefined) =>
  parseInput(filterArgument, { filter: filter ?? {} }).filter;

builder.queryField('auditLog', (t) =>
  t.connection(
    {
      type: AuditEntryType,
      description: 'The audit log of the merchant, newest first by default.',
      authScopes: { may: 'audit:read' },
      complexity: costOfPage,
      args: {
        filter: t.arg({ type: AuditFilterInput, description: 'Default: all entries.' }),
        orderBy: t.arg({ type: AuditOrderInput, description: 'Default: the newest first.' }),
      },
      resolve: (_, { filter, orderBy, ...page }, ctx) =>
        connect(page, listAudit(ctx.db, merchantOf(ctx.caller), auditConditions(filter), orderBy?.direction ?? 'desc')),
    },
    ...connectionTypes('AuditEntry', 'entries of the audit log'),
  ),
);

builder.subscriptionField('auditEntries', (t) =>
  t.field({
    type: AuditEntryType,
    description: 'Entries of the merchant’s audit log, from now on or after a cursor.',
    authScopes: { may: 'audit:read' },
    args: { after: t.arg.string({ description: 'The `cursor` of the last entry received.' }) },
    extensions: { cursorArg: 'after' },
    subscribe: async (_root, args, ctx) =>
      live(await followAudit(ctx.db, ctx.bus, merchantOf(ctx.caller), args.after ?? null)),
    resolve: (entry) => entry as AuditRecord,
  }),
);
