import { merchantOf, sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { MemberRole } from '../../../base/core/roles.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { connect, connectionTypes, costOfPage } from '../../../base/graphql/connection.ts';
import type { Context } from '../../../base/graphql/context.ts';
import { GLOBAL_ID, globalId } from '../../../base/graphql/global-id.ts';
import { countsAs } from '../../../base/graphql/rate.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { BUYER_MAILS, CONFIRM_MAIL, isAboutReceipt, type MailKind, NOTICES, TEST_MAIL } from './kinds.ts';
import { listMails, type MailRecord, readMail, resendMail } from './mails.ts';
import {
  noticesFor,
  type Preference,
  preferenceInput,
  readPreference,
  sendTest,
  setPreference,
} from './preferences.ts';
import type { MailState as State } from './state.ts';

const MailKindEnum = vocabulary('MailKind', 'What an e-mail tells of.', {
  ...BUYER_MAILS,
  ...NOTICES,
  [TEST_MAIL]: 'A member tests the own address.',
  [CONFIRM_MAIL]: 'A member has entered an address that its owner has to confirm.',
} satisfies Record<MailKind, string>);

const MailNotice = vocabulary('MailNotice', 'What members may be notified of by e-mail.', NOTICES);

const MailState = builder.enumType('MailState', {
  description: 'The state of an e-mail.',
  values: {
    pending: { description: 'It is sent, or tried again.' },
    sent: { description: 'The SMTP server has accepted it.' },
    dropped: { description: 'There was nothing to say any more, or no address to send it to.' },
    failed: { description: 'The SMTP server has refused it, or was away for three days.' },
  } satisfies Record<State, object>,
});

const Mail = builder.objectRef<MailRecord>('Mail').implement({
  authScopes: { may: 'receipts:read', member: true },
  description: 'An e-mail to a buyer, a subscriber or a member. Neither its text nor the address is kept.',
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: ({ id }, _args, { caller }) => globalId('Mail', merchantOf(caller), id),
    }),
    mailId: t.exposeID('id', { description: 'The first part of its Message-ID.' }),
    kind: t.expose('kind', { type: MailKindEnum, description: 'What it tells of.' }),
    receiptId: t.id({
      nullable: true,
      description: 'The receipt that it is about.',
      resolve: ({ kind, subjectId }) => (isAboutReceipt(kind) ? subjectId : null),
    }),
    subscriptionId: t.id({
      nullable: true,
      description: 'The subscription that it is about.',
      resolve: ({ kind, subjectId }) => (isAboutReceipt(kind) ? null : subjectId),
    }),
    member: t.expose('member', { type: 'Wallet', nullable: true, description: 'The member whom it is for.' }),
    state: t.expose('state', { type: MailState, description: 'Where it is.' }),
    timesSent: t.exposeInt('sent', { description: 'How often the SMTP server has accepted it.' }),
    answer: t.exposeString('answer', {
      nullable: true,
      description: 'The last words of the SMTP server, or why it was not sent.',
    }),
    queuedAt: t.expose('queuedAt', { type: 'Millis', description: 'When it was enqueued, or enqueued again.' }),
    finishedAt: t.expose('finishedAt', {
      type: 'Millis',
      nullable: true,
      description: 'When it was accepted or given up; null while it waits.',
    }),
  }),
});

/** What a member has chosen, and could choose. */
interface Choice {
  readonly chosen: Preference | null;
  readonly role: MemberRole;
  readonly configured: boolean;
}

const MailPreference = builder.objectRef<Choice>('MailPreference').implement({
  ...throughParent,
  description: 'Where the signed-in member wants to be notified of what, in the merchant of the session.',
  fields: (t) => ({
    id: t.id({
      description: GLOBAL_ID,
      resolve: (_own, _args, { caller }) => globalId('MailPreference', merchantOf(caller), sessionOf(caller).wallet),
    }),
    email: t.string({
      nullable: true,
      description: 'The address; null before the first choice.',
      resolve: ({ chosen }) => chosen?.email ?? null,
    }),
    confirmed: t.boolean({
      description:
        'Whether the address was confirmed by the link that was sent there. Before that nothing else goes there.',
      resolve: ({ chosen }) => chosen?.confirmedAt != null,
    }),
    language: t.string({
      nullable: true,
      description: 'The language of the messages; null before the first choice.',
      resolve: ({ chosen }) => chosen?.language ?? null,
    }),
    notices: t.field({
      type: [MailNotice],
      description: 'What the member is notified of.',
      resolve: ({ chosen, role }) => noticesFor(role).filter((notice) => chosen?.notices.includes(notice)),
    }),
    offered: t.field({
      type: [MailNotice],
      description: 'What the role of the member may be notified of.',
      resolve: ({ role }) => noticesFor(role),
    }),
    configured: t.exposeBoolean('configured', { description: 'Whether this server sends e-mail.' }),
  }),
});

/** The signed-in member and its role in the merchant of the session. */
function memberOf({ caller }: Context) {
  const { wallet, role } = sessionOf(caller);
  // A platform admin who acts for a merchant may do what its owner may.
  return { key: { merchant: merchantOf(caller), wallet }, role: role ?? ('owner' as const) };
}

const choiceOf = (ctx: Context, chosen: Preference | null): Choice => ({
  ...{ chosen, role: memberOf(ctx).role },
  configured: ctx.settings.mail !== null,
});

builder.queryFields((t) => ({
  mails: t.connection(
    {
      type: Mail,
      authScopes: { may: 'receipts:read' },
      description: 'The merchant’s e-mails, the newest first.',
      args: {
        subjectId: t.arg.id({ description: 'Only those about this receipt or this subscription.' }),
        state: t.arg({ type: MailState, description: 'Only those in this state.' }),
      },
      complexity: costOfPage,
      resolve: (_, args, ctx) => connect(args, listMails(ctx.db, merchantOf(ctx.caller), args)),
    },
    ...connectionTypes('Mail', 'e-mails'),
  ),
  mailPreference: t.field({
    type: MailPreference,
    authScopes: { member: true },
    description: 'What the signed-in member wants to be notified of by e-mail.',
    resolve: async (_, _args, ctx) => choiceOf(ctx, await readPreference(ctx.db, memberOf(ctx).key)),
  }),
}));

const MailPreferenceInput = builder.inputType('MailPreferenceInput', {
  description: 'Where a member wants to be notified of what.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'At most 254 characters.' }),
    language: t.string({ required: true, description: '`en`, `de`, `fr`, `es` or `ar`.' }),
    notices: t.field({ type: [MailNotice], required: true, description: 'May be empty.' }),
  }),
});

builder.mutationFields((t) => ({
  setMailPreference: t.field({
    ...countsAs('others'),
    type: MailPreference,
    authScopes: { memberWrite: true },
    description:
      'Stores what the signed-in member wants to be notified of by e-mail, in the merchant of its session. A new address gets a link that confirms it, at most once a day.',
    args: { input: t.arg({ type: MailPreferenceInput, required: true, description: 'The choice.' }) },
    resolve: async (_, { input }, ctx) => {
      const { key, role } = memberOf(ctx);
      return choiceOf(ctx, await setPreference(ctx, key, role, parseInput(preferenceInput, input)));
    },
  }),
  sendTestMail: t.field({
    ...countsAs('others'),
    type: Mail,
    authScopes: { memberWrite: true },
    description:
      'Sends a test message to the address that the signed-in member has stored and confirmed. `mail` tells what the SMTP server said. Refuses with `mail_not_configured`.',
    resolve: (_, _args, ctx) => sendTest(ctx, ctx.caller),
  }),
  resendMail: t.field({
    ...audits('others', 'mail.resent'),
    type: Mail,
    authScopes: { mayWrite: 'receipts:write' },
    description:
      'Sends an e-mail again, with the same Message-ID. Its text is made from what is true now. Refuses with `not_found`.',
    args: { mailId: t.arg.id({ required: true, description: 'The e-mail.' }) },
    resolve: (_, { mailId }, ctx) => resendMail(ctx, ctx.caller, mailId),
  }),
}));

builder.queryField('mail', (t) =>
  t.field({
    type: Mail,
    authScopes: { member: true },
    description: 'One e-mail. A role that reads no receipts reads only those to itself. Refuses with `not_found`.',
    args: { mailId: t.arg.id({ required: true, description: 'The e-mail.' }) },
    resolve: (_, { mailId }, ctx) => readMail(ctx.db, ctx.caller, mailId),
  }),
);
