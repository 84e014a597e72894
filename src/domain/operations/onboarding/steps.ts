import { sql } from 'kysely';
import type { Wallet } from '../../../base/core/wallet.ts';
import type { Deps } from '../../../base/platform/deps.ts';
import { query } from '../../../base/platform/postgres/query.ts';

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
export async function readSteps(
  { sql, settings }: Pick<Deps, 'sql' | 'settings'>,
  merchant: Wallet | null,
): Promise<StepState[]> {
  const [done] = merchant === null ? [] : await sql.run(DONE, { merchant, chainId: settings.chainId });
  return (Object.keys(STEPS) as Step[]).map((step) => ({ step, done: done?.[step] ?? false }));
}
