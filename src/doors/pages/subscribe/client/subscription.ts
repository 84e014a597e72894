import { sendsSeveral } from '../../client/calls.ts';
import { ApiError } from '../../client/graphql.ts';
import { mayBeSignedIn, readSession, signInAs, signOut } from '../../client/session.ts';
import { sendTransaction } from '../../client/wallet.ts';
import { chosenToken, currentChain } from '../stage.ts';
import { PageProblem, type SubscribeApi } from './api.ts';
import { contactOf, draftPermission, type SubscriberChoice } from './draft.ts';
import { subscribeTogether } from './subscribe-together.ts';
import type { SubscribePage } from './view.ts';
import { type Connected, type CustomerWallet, remember } from './wallet.ts';

const approvalLookMs = 1000;
const approvalLooks = 90;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads what stands in the way of charging the subscription's or the connected wallet, and whether it subscribes in
 * one request, and shows it.
 */
export const createPreflight =
  (page: SubscribePage, api: SubscribeApi, connected: () => Connected | null) => async (): Promise<void> => {
    const { subscription, plan } = page.model;
    const { account } = page.ui;
    const token = chosenToken(page.model, page.ui);
    const wallet = subscription?.customerWallet ?? account;
    if (!wallet || !token || !(subscription || plan.active)) return;
    const preflight = await api.preflight(wallet, token, subscription?.subscriptionId ?? null);
    const provider = connected()?.provider;
    const mayApprove = preflight.smartAccount && !subscription && provider && account;
    page.draw({ preflight, together: mayApprove ? await sendsSeveral(provider, account, token.chainId) : false });
  };

/** Subscribes: the wallet allows exactly the price that the page shows, by a signature or on the chain. */
export async function subscribe(page: SubscribePage, api: SubscribeApi, wallet: CustomerWallet): Promise<void> {
  const { account } = page.ui;
  const token = chosenToken(page.model, page.ui);
  if (!account || !token) return;
  const { plan, mailWords } = page.model;
  const field = document.querySelector<HTMLInputElement>('#email');
  if (mailWords && field && !field.checkValidity()) {
    field.focus();
    throw new PageProblem(mailWords.wrong);
  }
  const made = await (page.ui.together ? subscribeTogether : subscribeBySignature)(page, api, wallet, {
    account,
    token,
  }).catch((error: unknown) => {
    const isAddress = error instanceof ApiError && error.facts.field === 'email';
    throw mailWords && isAddress ? new PageProblem(mailWords.wrong) : error;
  });
  remember(plan.planId, account, made.subscriptionId);
  page.setSubscription(made);
}

async function subscribeBySignature(
  page: SubscribePage,
  api: SubscribeApi,
  wallet: CustomerWallet,
  choice: SubscriberChoice,
) {
  const { chainId, permission, typedData } = await draftPermission(page, api, choice);
  const permissionSignature = await wallet.sign(typedData);
  page.says(page.say('doing.subscribe'));
  return api.create({
    ...{ customerWallet: choice.account, chainId, permissionSignature, permissionData: permission },
    ...contactOf(page),
  });
}

/**
 * Finds the wallet's subscription, made in any browser. Only the wallet itself may read it, so it signs in for this
 * request.
 */
export async function find(
  page: SubscribePage,
  api: SubscribeApi,
  connected: Connected,
  graphqlUrl: string,
): Promise<void> {
  const { account } = connected;
  const known = mayBeSignedIn() ? await readSession(graphqlUrl) : null;
  const isOwn = known?.wallet === account.toLowerCase();
  const session = isOwn
    ? null
    : await signInAs(graphqlUrl, connected, (step) =>
        page.says(step === 'sign' ? page.sayWallet('confirm') : page.say('doing.prepare')),
      );
  page.says(page.say('doing.look'));
  const found = await api.find(account).finally(() => session && signOut(graphqlUrl, session).catch(() => undefined));
  if (!found) throw new PageProblem(page.say('problem.none'));
  remember(page.model.plan.planId, account, found.subscriptionId);
  page.setSubscription(found);
}

/** Sends the transactions that remove the first obstacle, and waits until they are on the chain. */
export async function fix(
  page: SubscribePage,
  wallet: CustomerWallet,
  { provider, account }: Connected,
  preflight: () => Promise<void>,
): Promise<void> {
  const obstacle = page.ui.preflight?.obstacles.find(({ fix: { transactions } }) => transactions.length > 0);
  const chainId = currentChain(page.model, page.ui)?.id;
  if (!obstacle || chainId === undefined) return;
  await wallet.useNetwork();
  for (const { to, data } of obstacle.fix.transactions) {
    page.says(page.sayWallet('confirm'));
    await sendTransaction(provider, chainId, { from: account, to, data, value: '0x0' });
  }
  page.says(page.say('doing.network'));
  for (let look = 0; look < approvalLooks; look++) {
    await preflight();
    if (!page.ui.preflight?.obstacles.some(({ code }) => code === obstacle.code)) return;
    await pause(approvalLookMs);
  }
  throw new PageProblem(page.say('problem.unconfirmed'));
}

/** Cancels the subscription with a signature of the wallet that has subscribed. */
export async function cancel(page: SubscribePage, api: SubscribeApi, wallet: CustomerWallet): Promise<void> {
  const { subscription } = page.model;
  if (!subscription || !page.ui.account) return;
  const { subscriptionId, customerWallet } = subscription;
  if (page.ui.account.toLowerCase() !== customerWallet)
    throw new PageProblem(page.say('problem.wallet', { wallet: customerWallet }));
  const { expiresAt, typedData } = await api.requestCancellation(subscriptionId);
  const signature = await wallet.sign(typedData);
  page.says(page.say('doing.cancel'));
  page.setSubscription(await api.cancel({ subscriptionId, wallet: customerWallet, signature, expiresAt }));
  page.draw({ cancelling: false });
}
