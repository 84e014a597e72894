import { merchantOf, requireSignature, sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import { writes } from '../../../base/core/scopes.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { ScopeEnum, vocabulary } from '../../../base/graphql/vocabulary.ts';
import { repeatableOf } from '../../../base/platform/idempotency.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { OVERLAP_HOURS, OVERLAP_HOURS_MAX, revokeKey, rotateKey, rotationInput, updateKey } from './change-keys.ts';
import { type IssuedKey, issueKey } from './issue.ts';
import { keyPages, type ListedKey, readKey } from './list.ts';

const KeyState = vocabulary('KeyState', 'Whether a developer key works.', {
  active: 'It works.',
  expired: 'Its time is over. It is refused, and signs the webhooks of the receipts that it created.',
  revoked: 'It was revoked. It is refused, and signs the webhooks of the receipts that it created.',
} satisfies Record<ReturnType<typeof stateOf>, string>);

function stateOf({ revokedAt, expiresAt }: ListedKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export const ApiKeyType = builder.objectRef<ListedKey>('ApiKey').implement({
  description: 'A developer key, without its secret.',
  authScopes: { may: 'keys' },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ id }) => globalId('ApiKey', id) }),
    keyId: t.exposeID('id', { description: 'The id of the key, as in the histories of receipts.' }),
    issuer: t.expose('issuer', {
      type: 'Wallet',
      nullable: true,
      description: 'The member who issued it; null if the operator did, or if it is unknown.',
    }),
    label: t.exposeString('label', { nullable: true, description: 'The name that people gave it.' }),
    scopes: t.expose('scopes', { type: [ScopeEnum], description: 'What it may do.' }),
    writes: t.boolean({
      description: 'Whether a scope writes. Such keys are issued, rotated and limited by an owner.',
      resolve: ({ scopes }) => scopes.some(writes),
    }),
    state: t.field({
      type: KeyState,
      description: 'Whether it works now.',
      resolve: (key, _args, { clock }) => stateOf(key, clock()),
    }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it was issued.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it was last used, at most about a minute late; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it stops working by itself; null: never.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'Millis', nullable: true, description: 'When it was revoked.' }),
    replacedBy: t.exposeID('replacedBy', {
      nullable: true,
      description: 'The id of the key that replaces it; null unless it was rotated.',
    }),
    origins: t.stringList({
      description: 'The origins from which browsers may use it. Empty: all, also programs without an origin.',
      resolve: ({ origins }) => origins ?? [],
    }),
    addresses: t.stringList({
      description: 'The addresses and networks from which it may be used. Empty: all.',
      resolve: ({ addresses }) => addresses ?? [],
    }),
    trustedOnly: t.exposeBoolean('trustedOnly', {
      description: 'Whether it runs only trusted documents over GraphQL.',
    }),
    unlimited: t.exposeBoolean('unlimited', { description: 'Whether it has no rate limits.' }),
  }),
});

const NewKeyType = builder.objectRef<{ key: ListedKey; secret: string }>('NewApiKey').implement({
  description: 'A new developer key with its secret. The secret is shown only here.',
  ...throughParent,
  fields: (t) => ({
    key: t.expose('key', { type: ApiKeyType, nullable: true, description: 'The key.' }),
    secret: t.exposeString('secret', {
      description: 'What requests send in `Ocp-Apim-Subscription-Key`. It also verifies webhooks.',
    }),
  }),
});

builder.queryFields((t) => ({
  keys: t.connection(
    {
      type: ApiKeyType,
      description: 'The developer keys of the merchant, the newest first, also those that have ended.',
      authScopes: { may: 'keys' },
      complexity: costOfPage,
      resolve: (_, page, ctx) => connect(page, keyPages(ctx.db, merchantOf(ctx.caller))),
    },
    ...connectionTypes('ApiKey', 'developer keys'),
  ),
}));

const IssueKeyInput = builder.inputType('IssueKeyInput', {
  description: 'The properties of a new developer key.',
  fields: (t) => ({
    scopes: t.field({ type: [ScopeEnum], required: true, description: 'What it may do: at least one.' }),
    label: t.string({ description: 'A name for people.' }),
    expiresAt: t.field({ type: 'Millis', description: 'When it stops working by itself. Default: never.' }),
    origins: t.stringList({ description: 'The origins from which browsers may use it. Default: all.' }),
    addresses: t.stringList({ description: 'Addresses and networks from which it may be used. Default: all.' }),
    trustedOnly: t.boolean({ description: 'Whether it runs only trusted documents over GraphQL. Default: false.' }),
  }),
});

const KeyChangeInput = builder.inputType('KeyChangeInput', {
  description: 'What to change of a key. Omitted fields stay; null clears one.',
  fields: (t) => ({
    label: t.string({ description: 'A name for people.' }),
    origins: t.stringList({ description: 'The origins from which browsers may use it.' }),
    addresses: t.stringList({ description: 'The addresses and networks from which it may be used.' }),
  }),
});

/** The session's merchant, and its wallet as the issuer. */
const issuerOf = ({ caller }: Context) => ({ merchant: merchantOf(caller), issuer: sessionOf(caller).wallet });

async function withSecret(ctx: Context, { id, key }: IssuedKey) {
  return { key: await readKey(ctx.db, merchantOf(ctx.caller), id), secret: key };
}

builder.mutationFields((t) => ({
  issueKey: t.field({
    ...audits('others', 'key.issued'),
    type: NewKeyType,
    description:
      'Issues a developer key. Its secret is shown only in this answer. Its scopes are at most what the role of its issuer reads; those that write need an owner. Needs a signature of the last five minutes.',
    authScopes: { maySign: 'keys' },
    args: {
      input: t.arg({ type: IssueKeyInput, required: true, description: 'The new key.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and input within 24 hours return the same key.' }),
    },
    resolve: async (_, { input, idempotencyKey }, ctx) => {
      const request = { ...input, ...issuerOf(ctx) };
      return withSecret(ctx, await issueKey(ctx, request, repeatableOf(idempotencyKey, request)));
    },
  }),
  rotateKey: t.field({
    ...audits('others', 'key.rotated'),
    type: NewKeyType,
    description:
      'Replaces a key by a new one with the same properties. The replaced key works until the overlap ends, and always signs the webhooks of the receipts that it created. The caller becomes the issuer of the new key, and needs the rights and the signature that issuing it needs.',
    authScopes: { maySign: 'keys' },
    args: {
      keyId: t.arg.id({ required: true, description: 'The id of the key.' }),
      overlapHours: t.arg.int({
        description: `How long the replaced key still works, 0 to ${OVERLAP_HOURS_MAX}. Default: ${OVERLAP_HOURS}.`,
      }),
      idempotencyKey: t.arg.string({
        description: 'The same key and arguments within 24 hours return the same new developer key.',
      }),
    },
    resolve: async (_, { keyId, idempotencyKey, ...args }, ctx) => {
      const { overlapHours } = parseInput(rotationInput, args);
      const { merchant, issuer } = issuerOf(ctx);
      const overlapMs = overlapHours * 3_600_000;
      const repeatable = repeatableOf(idempotencyKey, { keyId, overlapMs, issuer });
      return withSecret(ctx, await rotateKey(ctx, { id: keyId, merchant }, { overlapMs, issuer, repeatable }));
    },
  }),
  revokeKey: t.field({
    ...audits('others', 'key.revoked'),
    type: ApiKeyType,
    description:
      'Revokes a key at once, on all servers. It still signs the webhooks of the receipts that it created. Repeating it changes nothing.',
    authScopes: { mayWrite: 'keys' },
    args: { keyId: t.arg.id({ required: true, description: 'The id of the key.' }) },
    resolve: async (_, { keyId }, ctx) => {
      const merchant = merchantOf(ctx.caller);
      await revokeKey(ctx, { id: keyId, merchant });
      return readKey(ctx.db, merchant, keyId);
    },
  }),
  updateKey: t.field({
    ...audits('others', 'key.changed'),
    type: ApiKeyType,
    description:
      'Changes the label and the limits of a key. Its limits need the rights and the signature that issuing it needs.',
    authScopes: { mayWrite: 'keys' },
    args: {
      keyId: t.arg.id({ required: true, description: 'The id of the key.' }),
      input: t.arg({ type: KeyChangeInput, required: true, description: 'What to change.' }),
    },
    resolve: async (_, { keyId, input }, ctx) => {
      const { merchant, issuer } = issuerOf(ctx);
      if (input.origins !== undefined || input.addresses !== undefined) requireSignature(ctx.caller, ctx.clock());
      await updateKey(ctx, { id: keyId, merchant }, input, issuer);
      return readKey(ctx.db, merchant, keyId);
    },
  }),
}));
