import { type PeriodQuery, rangeOf, type ShopTime } from '../client/shop-zone.ts';
import type { AuditAction, AuditLogQueryVariables } from '../generated/audit.ts';
import { words } from '../shared/words.ts';

type AuditFilter = NonNullable<AuditLogQueryVariables['filter']>;

/** What the address of the log says. */
export interface AuditQuery extends PeriodQuery {
  /** A category, or a single action. */
  readonly what?: string;
  /** A caller, as the API writes it: `wallet:0x…`. */
  readonly who?: string;
  /** The kind and the id of an object, with `:` between them. */
  readonly object?: string;
}

/** The categories of actions that a merchant's log can have, by the first word of each action. */
const CATEGORIES = {
  split: ['split'],
  people: ['member'],
  keys: ['key'],
  shop: ['shop', 'pricing', 'tax', 'link'],
  plans: ['plan', 'subscription'],
  payments: ['refund', 'payment', 'payout', 'receipt'],
  webhooks: ['webhook', 'mail'],
  exports: ['receipts'],
  operator: ['merchant', 'audit', 'buyer', 'order'],
} as const satisfies Record<keyof typeof words.audit.categories, readonly string[]>;

export type Category = keyof typeof CATEGORIES;

const ACTIONS = Object.keys(words.audit.actions) as AuditAction[];
const NOT_OF_A_MERCHANT: readonly AuditAction[] = ['merchant_invited'];

/** The actions of a category. */
const actionsIn = (category: Category): AuditAction[] =>
  ACTIONS.filter(
    (action) =>
      !NOT_OF_A_MERCHANT.includes(action) &&
      (CATEGORIES[category] as readonly string[]).includes(action.split('_', 1)[0] as string),
  );

/** Every category with its actions, in the order of the filter. */
export const ACTIONS_BY_CATEGORY = (Object.keys(CATEGORIES) as Category[]).map(
  (category) => [category, actionsIn(category)] as const,
);

function actionsOf(what: string): readonly AuditAction[] | undefined {
  const category = ACTIONS_BY_CATEGORY.find(([name]) => name === what);
  if (category) return category[1];
  return ACTIONS.includes(what as AuditAction) ? [what as AuditAction] : undefined;
}

/** The kind and the id of an object in an address; null if there is none. */
export function objectIn(text = ''): { readonly type: keyof typeof words.audit.objects; readonly id: string } | null {
  const [, type, id] = /^(\w+):(.+)$/.exec(text) ?? [];
  if (type === undefined || id === undefined || !Object.hasOwn(words.audit.objects, type)) return null;
  return { type: type as keyof typeof words.audit.objects, id };
}

/** The filter of the API for an address. What is unknown in it does not filter. */
export function filterOf({ what = '', who, object, ...period }: AuditQuery, time: ShopTime): AuditFilter {
  const actions = actionsOf(what);
  const about = objectIn(object);
  return {
    ...(actions ? { actions: [...actions] } : {}),
    ...(who ? { actor: who } : {}),
    ...(about ? { objectType: about.type, objectId: about.id } : {}),
    ...rangeOf(period, time),
  };
}

/** Whether the address filters anything. */
export const isFiltered = ({ what, who, object, period }: AuditQuery): boolean =>
  Boolean(what || who || object || period);
