import { sessionOf } from '../../../base/core/caller.ts';
import { parseInput } from '../../../base/core/input.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import { builder, throughParent } from '../../../base/graphql/builder.ts';
import { vocabulary } from '../../../base/graphql/vocabulary.ts';
import { audits } from '../../../base/records/audit/writes.ts';
import { type IssuedInvite, inviteInput, inviteMerchant } from '../../shop/merchants/invite.ts';
import { joinAsMerchant, joinInput, readSteps, STEPS, type StepState } from './steps.ts';

const SIGNUPS = {
  closed: 'Only the operator registers merchants.',
  invite: 'A wallet needs a code of the operator.',
  open: 'Any signed-in wallet may register a merchant.',
} as const;
const SignupEnum = vocabulary('Signup', 'Whether a signed-in wallet may register a merchant.', SIGNUPS);
const StepEnum = vocabulary('OnboardingStepName', 'What a new merchant does to be paid.', STEPS);

interface Onboarding {
  readonly merchant: Wallet | null;
  readonly signup: keyof typeof SIGNUPS;
  readonly steps: readonly StepState[];
}

const StepType = builder.objectRef<StepState>('OnboardingStep').implement({
  ...throughParent,
  description: 'A step of a new merchant.',
  fields: (t) => ({
    step: t.expose('step', { type: StepEnum, description: 'The step.' }),
    done: t.exposeBoolean('done', { description: 'Whether it is done, according to the data of the merchant.' }),
  }),
});

const OnboardingType = builder.objectRef<Onboarding>('Onboarding').implement({
  authScopes: { session: true },
  description: 'What a signed-in wallet has done, and has left to do, until its shop can be paid.',
  fields: (t) => ({
    merchant: t.expose('merchant', {
      type: 'Wallet',
      nullable: true,
      description: 'The merchant that the session acts for; null before one is registered.',
    }),
    signup: t.expose('signup', { type: SignupEnum, description: 'Whether the wallet may register a merchant itself.' }),
    steps: t.field({
      type: [StepType],
      description: 'The steps, in a useful order. Each can be taken at any time.',
      resolve: ({ steps }) => [...steps],
    }),
    next: t.field({
      type: StepEnum,
      nullable: true,
      description: 'The first step that is not done; null if all are.',
      resolve: ({ steps }) => steps.find(({ done }) => !done)?.step ?? null,
    }),
    complete: t.boolean({
      description: 'Whether all steps are done.',
      resolve: ({ steps }) => steps.every(({ done }) => done),
    }),
  }),
});

builder.queryField('onboarding', (t) =>
  t.field({
    type: OnboardingType,
    description: 'What the signed-in wallet has left to do until its shop can be paid.',
    authScopes: { session: true },
    resolve: async (_, _args, ctx) => {
      const { merchant } = sessionOf(ctx.caller);
      return { merchant, signup: ctx.settings.signup, steps: await readSteps(ctx.db, ctx.settings, merchant) };
    },
  }),
);

const RegisterMerchantInput = builder.inputType('RegisterMerchantInput', {
  description: 'A merchant to register under the signed-in wallet.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'The name that buyers see, 1 to 256 characters.' }),
    code: t.string({ description: 'The code of the operator, if `signup` is `invite`.' }),
  }),
});

const IssuedInviteType = builder.objectRef<IssuedInvite>('MerchantInvite').implement({
  authScopes: { platform: true },
  description: 'A new code with which one wallet may register a merchant.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id in the audit log.' }),
    code: t.exposeString('code', { description: 'The code. It is shown only here.' }),
    expiresAt: t.expose('expiresAt', { type: 'Millis', description: 'Until when it can be used.' }),
  }),
});

builder.mutationFields((t) => ({
  registerMerchant: t.field({
    ...audits('others', 'merchant.registered'),
    type: OnboardingType,
    description:
      'Registers a merchant under the signed-in wallet. Its session acts for the merchant from the next request on, unless it acts for another one (`switchMerchant`). Refuses with `signup_closed`, and with `signup_limit_reached`.',
    authScopes: { sessionWrite: true },
    args: { input: t.arg({ type: RegisterMerchantInput, required: true, description: 'The merchant.' }) },
    resolve: async (_, { input }, ctx) => {
      const { wallet: merchant } = await joinAsMerchant(ctx, sessionOf(ctx.caller), parseInput(joinInput, input));
      return { merchant, signup: ctx.settings.signup, steps: await readSteps(ctx.db, ctx.settings, merchant) };
    },
  }),
  inviteMerchant: t.field({
    ...audits('others', 'merchant.invited'),
    type: IssuedInviteType,
    description: 'Issues a code with which one wallet may register a merchant, for `SIGNUP=invite`.',
    authScopes: { platformSign: true },
    args: {
      hours: t.arg.int({ description: 'How long it can be used, in hours: 1 to 2160. Default: 168.' }),
      note: t.arg.string({ description: 'For the audit log: whom it is for. At most 500 characters.' }),
      idempotencyKey: t.arg.string({ description: 'The same key and note within 24 hours return the same code.' }),
    },
    resolve: (_, { idempotencyKey, ...args }, ctx) => {
      const by = sessionOf(ctx.caller).wallet;
      return inviteMerchant(ctx, parseInput(inviteInput, args), { by, key: idempotencyKey ?? null });
    },
  }),
}));
