import { merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, type MutationFields, throughParent } from '../../../base/graphql/builder.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { MemberRoleEnum } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { keysIssuedBy } from '../../access/keys/issued.ts';
import { ApiKeyType } from '../../access/keys/schema.ts';
import {
  listMembers,
  listMemberships,
  type MemberRecord,
  type MembershipRecord,
} from '../../shop/merchants/members.ts';
import { endpointsIssuedBy } from '../../webhooks/endpoints/manage.ts';
import { WebhookEndpoint } from '../../webhooks/endpoints/schema.ts';
import { changeRole, leaveMerchant, removeMember } from './change-members.ts';
import {
  acceptInvitation,
  type InvitationRecord,
  inviteMember,
  listInvitations,
  type NewInvitation,
  type Offer,
  readOffer,
  revokeInvitation,
} from './invitations.ts';
import { inviteInput, keptInput, roleInput, tokenInput } from './people.input.ts';

const MemberType = builder.objectRef<MemberRecord>('Member').implement({
  description: 'A wallet that belongs to the merchant.',
  authScopes: { may: 'members:read' },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ merchant, wallet }) => globalId('Member', merchant, wallet) }),
    wallet: t.expose('wallet', { type: 'Wallet', description: 'The wallet.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'What it may do.' }),
    label: t.exposeString('label', { nullable: true, description: 'The name that its invitation had.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it joined.' }),
    addedBy: t.expose('addedBy', {
      type: 'Wallet',
      nullable: true,
      description: 'The member who invited it; null for the merchant’s own wallet.',
    }),
    self: t.boolean({
      description: 'Whether it is the wallet of this session.',
      resolve: ({ wallet }, _args, { caller }) => caller.kind === 'session' && caller.wallet === wallet,
    }),
  }),
});

const MembershipType = builder.objectRef<MembershipRecord>('Membership').implement({
  description: 'A merchant that the signed-in wallet belongs to.',
  authScopes: { session: true },
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ merchant }, _args, { caller }) => globalId('Membership', merchant, sessionOf(caller).wallet),
    }),
    merchant: t.expose('merchant', { type: 'Wallet', description: 'The merchant, for `switchMerchant`.' }),
    name: t.exposeString('name', { description: 'The name that buyers see.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'What the wallet may do there.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it joined.' }),
    current: t.boolean({
      description: 'Whether the session acts for it.',
      resolve: ({ merchant }, _args, { caller }) => caller.kind === 'session' && caller.merchant === merchant,
    }),
  }),
});

const InvitationType = builder.objectRef<InvitationRecord>('Invitation').implement({
  description: 'An invitation that can still be accepted.',
  authScopes: { may: 'members:read' },
  fields: (t) => ({
    id: t.id({ description: GLOBAL_ID, resolve: ({ id }) => globalId('Invitation', id) }),
    invitationId: t.exposeID('id', { description: 'The id of the invitation, for `revokeInvitation`.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'The role that it gives.' }),
    label: t.exposeString('label', { nullable: true, description: 'The name of the person.' }),
    createdAt: t.expose('createdAt', { type: 'Millis', description: 'When it was made.' }),
    createdBy: t.expose('createdBy', { type: 'Wallet', description: 'The member who made it.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When it expires.' }),
  }),
});

const NewInvitationType = builder.objectRef<NewInvitation>('NewInvitation').implement({
  description: 'A new invitation with its link. The link is shown only here.',
  ...throughParent,
  fields: (t) => ({
    invitation: t.expose('invitation', { type: InvitationType, nullable: true, description: 'The invitation.' }),
    token: t.exposeString('token', { description: 'The token, for `acceptInvitation`. It works once.' }),
    url: t.exposeString('url', { description: 'The link to send. It ends with the token.' }),
  }),
});

const OfferType = builder.objectRef<Offer>('InvitationOffer').implement({
  description: 'What an invitation offers to the holder of its token.',
  authScopes: { session: true },
  fields: (t) => ({
    merchant: t.expose('merchant', { type: 'Wallet', description: 'The merchant.' }),
    name: t.exposeString('name', { description: 'The merchant’s name, as buyers see it.' }),
    role: t.expose('role', { type: MemberRoleEnum, description: 'The role that it gives.' }),
    label: t.exposeString('label', { nullable: true, description: 'The name of the person.' }),
    createdBy: t.expose('createdBy', { type: 'Wallet', description: 'The member who invites.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'When it expires.' }),
  }),
});

const IssuedType = builder
  .objectRef<{ readonly merchant: Wallet; readonly issuer: Wallet }>('IssuedByMember')
  .implement({
    description: 'What a member issued and what still works.',
    authScopes: { may: 'members' },
    fields: (t) => ({
      keys: t.field({
        type: [ApiKeyType],
        description: 'Its developer keys, the newest first.',
        resolve: (issuer, _args, ctx) => keysIssuedBy(ctx.db, ctx.clock(), issuer),
      }),
      endpoints: t.field({
        type: [WebhookEndpoint],
        description: 'The webhook endpoints whose address it chose, the oldest first.',
        resolve: (issuer, _args, ctx) => endpointsIssuedBy(ctx.db, issuer),
      }),
    }),
  });

builder.queryFields((t) => ({
  issuedBy: t.field({
    type: IssuedType,
    description: 'What a member issued: it ends with the member, unless the remover takes it over.',
    authScopes: { may: 'members' },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: 'The member.' }) },
    resolve: (_, { wallet }, { caller }) => ({ merchant: merchantOf(caller), issuer: wallet as Wallet }),
  }),
  members: t.field({
    type: [MemberType],
    description: 'The members of the merchant, the oldest first.',
    authScopes: { may: 'members:read' },
    resolve: (_, _args, ctx) => listMembers(ctx.db, merchantOf(ctx.caller)),
  }),
  invitations: t.field({
    type: [InvitationType],
    description: 'The invitations that can still be accepted, the newest first.',
    authScopes: { may: 'members:read' },
    resolve: (_, _args, ctx) => listInvitations(ctx.db, ctx.clock(), merchantOf(ctx.caller)),
  }),
  memberships: t.field({
    type: [MembershipType],
    description: 'The merchants that the signed-in wallet belongs to: its own first.',
    authScopes: { session: true },
    resolve: (_, _args, ctx) => listMemberships(ctx.db, sessionOf(ctx.caller).wallet),
  }),
  invitation: t.field({
    type: OfferType,
    description:
      'What an invitation offers. One that is unknown, used, revoked or expired is refused with `not_found`.',
    authScopes: { session: true },
    args: { token: t.arg.string({ required: true, description: 'The token of the link.' }) },
    resolve: (_, args, ctx) => readOffer(ctx.db, ctx.clock(), parseInput(tokenInput, args).token),
  }),
}));

/** The merchant of a session and its wallet. */
const actor = ({ caller }: Context) => ({ merchant: merchantOf(caller), by: sessionOf(caller).wallet });

/** The member after its change. */
async function memberOf(ctx: Context, wallet: Wallet): Promise<MemberRecord> {
  const members = await listMembers(ctx.db, merchantOf(ctx.caller));
  return members.find((member) => member.wallet === wallet)!;
}

/** What ends, or is taken over, with the rights of its issuer. */
const ENDED = ['key.revoked', 'key.changed', 'webhook.deleted', 'webhook.changed'] as const;

const keptArgs = (t: MutationFields) => ({
  keepKeys: t.arg.idList({ description: 'Keys of the member that the caller takes over, by `keyId`. Default: none.' }),
  keepEndpoints: t.arg.idList({
    description: 'Webhook endpoints of the member that the caller takes over. Default: none.',
  }),
});

builder.mutationFields((t) => ({
  inviteMember: t.field({
    ...audits('others', 'member.invited'),
    type: NewInvitationType,
    description: 'Makes a link by which a person joins the merchant with a role. It works once, for seven days.',
    authScopes: { maySign: 'members' },
    args: {
      role: t.arg({ type: MemberRoleEnum, required: true, description: 'The role that it gives.' }),
      label: t.arg.string({ description: 'A name for the person.' }),
      idempotencyKey: t.arg.string({
        description: 'The same key, role and name within 24 hours return the same invitation.',
      }),
    },
    resolve: (_, { idempotencyKey, ...args }, ctx) =>
      inviteMember(ctx, actor(ctx), parseInput(inviteInput, args), idempotencyKey ?? null),
  }),
  revokeInvitation: t.field({
    ...audits('others', 'member.invitation_revoked'),
    type: 'Boolean',
    description: 'Revokes an invitation that was not accepted yet. Any other one is refused with `not_found`.',
    authScopes: { mayWrite: 'members' },
    args: { invitationId: t.arg.id({ required: true, description: 'The id of the invitation.' }) },
    resolve: async (_, { invitationId }, ctx) => {
      await revokeInvitation(ctx, merchantOf(ctx.caller), invitationId);
      return true;
    },
  }),
  acceptInvitation: t.field({
    ...audits('others', 'member.joined'),
    type: MembershipType,
    description:
      'Joins the merchant of an invitation with the signed-in wallet. `switchMerchant` then acts for it. Refused with `not_found` if the invitation is unknown, used, revoked or expired.',
    authScopes: { sessionWrite: true },
    args: { token: t.arg.string({ required: true, description: 'The token of the link.' }) },
    resolve: (_, args, ctx) => acceptInvitation(ctx, sessionOf(ctx.caller).wallet, parseInput(tokenInput, args).token),
  }),
  changeMemberRole: t.field({
    ...audits('others', 'member.role_changed', ...ENDED),
    type: MemberType,
    description:
      'Gives a member another role, at once. Its open streams end. Its keys are revoked and its webhook endpoints deleted, as far as they exceed the new role and are not kept. The last owner is refused with `last_owner`.',
    authScopes: { maySign: 'members' },
    args: {
      wallet: t.arg({ type: 'Wallet', required: true, description: 'The member.' }),
      role: t.arg({ type: MemberRoleEnum, required: true, description: 'The new role.' }),
      ...keptArgs(t),
    },
    resolve: async (_, args, ctx) => {
      const { wallet, role } = parseInput(roleInput, args);
      await changeRole(ctx, { ...actor(ctx), wallet, kept: parseInput(keptInput, args) }, role);
      return memberOf(ctx, wallet);
    },
  }),
  removeMember: t.field({
    ...audits('others', 'member.removed', ...ENDED),
    type: 'Boolean',
    description:
      'Removes a member. Its sessions lose their rights at once, and its streams end. Its keys are revoked and its webhook endpoints deleted, unless they are kept. The last owner is refused with `last_owner`.',
    authScopes: { maySign: 'members' },
    args: { wallet: t.arg({ type: 'Wallet', required: true, description: 'The member.' }), ...keptArgs(t) },
    resolve: async (_, { wallet, ...args }, ctx) => {
      await removeMember(ctx, { ...actor(ctx), wallet: wallet as Wallet, kept: parseInput(keptInput, args) });
      return true;
    },
  }),
  leaveMerchant: t.field({
    ...audits('others', 'member.left', 'key.revoked', 'webhook.deleted'),
    type: 'Boolean',
    description:
      'Ends the membership of the signed-in wallet in the merchant of its session. Its keys are revoked and its webhook endpoints deleted. The last owner is refused with `last_owner`.',
    authScopes: { memberWrite: true },
    resolve: async (_, _args, ctx) => {
      const { merchant, by } = actor(ctx);
      await leaveMerchant(ctx, { merchant, wallet: by });
      return true;
    },
  }),
}));
