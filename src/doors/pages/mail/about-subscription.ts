import { readContact } from '../../../domain/recurring/subscriptions/contact.ts';
import type { Tell } from './voice.ts';

/** What is told to a subscriber. What is not so any more is left out. */
export const aboutSubscription: Tell = async (deps, { kind, merchant, subjectId }, shop, voiceOf) => {
  const found = await readContact(deps.db, merchant, subjectId ?? '');
  if (!found?.email) return { dropped: 'there is no address any more' };
  const { email: to, language, plan, planId, priceCents, period, status, nextChargeAt, chargeCount } = found;
  const isOpen = status === 'active' || status === 'past_due';
  const comes = isOpen && nextChargeAt !== null && nextChargeAt > deps.clock();
  const isSo = {
    subscription_started: isOpen,
    subscription_upcoming: comes,
    subscription_charged: chargeCount > 0,
    subscription_failed: status === 'past_due',
    subscription_ended: !isOpen,
  }[kind as string];
  if (!isSo) return { dropped: 'it is not so any more' };
  const { say, money, date } = voiceOf(language);
  const next = comes ? date(nextChargeAt) : '';
  const values = { shop: shop.name, plan, price: money(priceCents, 'USD'), period, date: next };
  return {
    ...{ to, language },
    subject: say(`${kind}_subject`, values).text,
    title: say(`${kind}_title`),
    text: say(`${kind}_text`, values),
    facts: comes && kind !== 'subscription_upcoming' ? [{ label: say('next_charge').text, value: next }] : [],
    action: { label: say('open_plan').text, url: `${deps.settings.baseUrl}/subscribe/${encodeURIComponent(planId)}` },
  };
};
