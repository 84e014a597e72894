import { pageLanguage } from '../../client/page.ts';
import { PageProblem, type SubscribeApi, type TokenChoice } from './api.ts';
import type { SubscribePage } from './view.ts';

/** Who subscribes, and the token that the charges take. */
export interface SubscriberChoice {
  readonly account: string;
  readonly token: TokenChoice;
}

/** Drafts a permission for exactly the price that the page shows. */
export async function draftPermission(page: SubscribePage, api: SubscribeApi, { account, token }: SubscriberChoice) {
  const drafted = await api.draft(account, token);
  if (BigInt(drafted.permission.allowance) !== BigInt(page.model.plan.priceCents) * 10n ** BigInt(token.decimals - 2))
    throw new PageProblem(page.say('problem.price'));
  return drafted;
}

/** The address that the customer has given, with the language of the page. */
export function contactOf({ ui }: SubscribePage): { email?: string; language?: string } {
  const email = ui.email.trim();
  return email === '' ? {} : { email, language: pageLanguage() };
}
