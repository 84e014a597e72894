import { covers } from '../../../base/core/roles.ts';
import { countOpen } from '../../../domain/reports/attention/count-open.ts';
import { configuredRates } from '../../../domain/shop/fx/usd-per-token.ts';
import { findMembership } from '../../../domain/shop/merchants/members.ts';
import { isNotice, NEEDED_FOR_NOTICE } from '../../../domain/webhooks/mail/kinds.ts';
import { readPreference } from '../../../domain/webhooks/mail/preferences.ts';
import { stopUrl } from './stop-link.ts';
import type { Tell } from './voice.ts';

/** What is told to a member: how much of a kind is open now, or that e-mail works. */
export const toMember: Tell = async (deps, { kind, merchant, member }, shop, voiceOf) => {
  const key = { merchant, wallet: member! };
  const preference = await readPreference(deps.db, key);
  if (!preference) return { dropped: 'there is no address any more' };
  const { email: to, language, notices } = preference;
  const { say } = voiceOf(language);
  const stop = { label: say('notice_stop').text, url: stopUrl(deps.settings, key, to) };
  const common = { to, language, why: say('notice_why'), stop };
  if (!isNotice(kind)) {
    const values = { shop: shop.name };
    return { ...common, subject: say('test_subject', values).text, title: say('test_title'), text: say('test_text') };
  }
  const membership = await deps.db.transaction((uow) => findMembership(uow, merchant, key.wallet));
  const isWanted = notices.includes(kind) && membership && covers(membership.role, [NEEDED_FOR_NOTICE[kind]]);
  if (!isWanted) return { dropped: 'the member does not want it, or its role does not include it any more' };
  const count = await countOpen({ ...deps, readRate: configuredRates(deps) }, merchant, kind);
  if (count === 0) return { dropped: 'nothing of it is open any more' };
  const title = say(kind, { count });
  return {
    ...common,
    subject: `${shop.name}: ${title.text}`,
    title,
    text: say('notice_text', { shop: shop.name }),
    action: { label: say('open_console').text, url: `${deps.settings.baseUrl}/admin` },
  };
};
