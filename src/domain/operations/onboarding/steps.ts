import { sql } from 'kysely';
import { z } from 'zod';
import type { Session } from '../../../base/core/caller.ts';
import { refuse } from '../../../base/core/errors.ts';
import { identifier, label } from '../../../base/core/text.ts';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Db } from '../../../base/platform/db.ts';
import type { Deps, Settings } from '../../../base/platform/deps.ts';
import { notify } from '../../../base/platform/pg-notifications.ts';
import { query } from '../../../base/platform/postgres/query.ts';
import type { AuditDeps } from '../../../base/records/audit/record.ts';
import { forgetSessions, SESSIONS_CHANNEL } from '../../access/gateway/session.ts';
import type { MerchantRecord } from '../../shop/merchants/find.ts';
import { useInvite } from '../../shop/merchants/invite.ts';
import { requireSignupWithinDay } from '../../shop/merchants/newcomer.ts';
import { addMerchant } from '../../shop/merchants/register.ts';

type StepsDeps = Pick<Deps, 'db' | 'settings'>;

/** What a new merchant does to be paid, in a useful order. */
export const STEPS = {
  name: 'Name the shop.',
  logo: 'Give the shop a logo.',
  colours: 'Choose the colours of its pages.',
  split: 'Decide who receives which share of each payment.',
  product: 'Add the first product.',
  key: 'Issue the first developer key.',
  order: 'Place a test order.',
} as const satisfies Readonly<Record<string, string>>;

type Step = keyof typeof STEPS;

const DONE = query(
  'onboarding-steps',
  (db, $: { merchant: Wallet; chainId: number }) =>
    db
      .selectFrom('Merchant as m')
      .select((eb) => [
        sql<boolean>`coalesce(${eb.ref('m.shop')} ->> 'name', ${eb.ref('m.name')}) <> ''`.as('name'),
        sql<boolean>`${eb.ref('m.shop')} #>> '{theme,brandLogoUrl}' is not null`.as('logo'),
        sql<boolean>`${eb.ref('m.shop')} #>> '{theme,primaryColor}' is not null`.as('colours'),
        eb
          .exists(
            eb
              .selectFrom('Split as s')
              .select('s.id')
              .whereRef('s.merchant', '=', 'm.wallet')
              .where('s.chainId', '=', $.chainId)
              .where('s.replacedAt', 'is', null),
          )
          .$castTo<boolean>()
          .as('split'),
        eb
          .exists(eb.selectFrom('Item as i').select('i.id').whereRef('i.merchant', '=', 'm.wallet'))
          .$castTo<boolean>()
          .as('product'),
        eb
          .exists(
            eb
              .selectFrom('ApiKey as k')
              .select('k.id')
              .whereRef('k.merchant', '=', 'm.wallet')
              .where('k.revokedAt', 'is', null),
          )
          .$castTo<boolean>()
          .as('key'),
        eb
          .exists(eb.selectFrom('Receipt as r').select('r.id').whereRef('r.merchant', '=', 'm.wallet'))
          .$castTo<boolean>()
          .as('order'),
      ])
      .where('m.wallet', '=', $.merchant),
  {
    computed: {
      ...{ name: 'bool', logo: 'bool', colours: 'bool' },
      ...{ split: 'bool', product: 'bool', key: 'bool', order: 'bool' },
    },
  },
);

/** A step, and whether it is done. */
export interface StepState {
  readonly step: Step;
  readonly done: boolean;
}

/**
 * The steps of a merchant. They are derived from its data, so that a step that was done elsewhere is done here, and one
 * that was undone is open again. None is done without a merchant.
 */
export async function readSteps(db: Db, settings: Settings, merchant: Wallet | null): Promise<StepState[]> {
  const [done] = merchant === null ? [] : await db.run(DONE, { merchant, chainId: settings.chainId });
  return (Object.keys(STEPS) as Step[]).map((step) => ({ step, done: done?.[step] ?? false }));
}

/** A registration by the wallet itself. */
export const joinInput = z.object({
  name: label,
  code: identifier.nullish().transform((code) => code ?? null),
});

/**
 * Registers a merchant under the signed-in wallet, and lets its session act for it at once. With `SIGNUP=invite` a code
 * of the operator is used up; with `SIGNUP=open` the merchant is a newcomer until the operator admits it.
 *
 * Refuses with `signup_closed`, with `signup_limit_reached` if `SIGNUPS_PER_DAY` is used up, and with `invalid_input`
 * if the wallet is registered already (`wallet`), or if the code is missing, unknown, used or expired (`code`). A
 * refused request does not use the code up.
 */
export async function joinAsMerchant(
  deps: AuditDeps & StepsDeps,
  { sessionId, wallet }: Pick<Session, 'sessionId' | 'wallet'>,
  { name, code }: z.output<typeof joinInput>,
): Promise<MerchantRecord> {
  const { signup, signupsPerDay, brandKey } = deps.settings;
  if (signup === 'closed') throw refuse('signup_closed');
  if (signup === 'invite' && code === null)
    throw refuse('invalid_input', 'code is required: ask the operator for an invitation', {
      field: 'code',
      reason: 'invitation',
    });
  return deps.db.transaction(async (uow) => {
    if (signup === 'invite') await useInvite(uow, code as string, wallet, deps.clock());
    const newcomer = signup === 'open';
    if (newcomer) await requireSignupWithinDay(uow, signupsPerDay, deps.clock());
    const merchant = await addMerchant(deps, uow, { wallet, name, brandKey, newcomer });
    await notify(uow, SESSIONS_CHANNEL, sessionId);
    // This process must not wait for its own notification.
    uow.afterCommit(() => forgetSessions(deps.db)(sessionId));
    return merchant;
  });
}
