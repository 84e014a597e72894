import { sendCalls } from '../../client/calls.ts';
import { ApiError } from '../../client/graphql.ts';
import { errorCode } from '../../client/wallet.ts';
import { PageProblem, type SubscribeApi } from './api.ts';
import { contactOf, draftPermission, type SubscriberChoice } from './draft.ts';
import type { SubscribePage } from './view.ts';
import type { CustomerWallet } from './wallet.ts';

const approvalLookMs = 1000;
const approvalLooks = 30;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Codes of a wallet that cannot send this batch (EIP-5792): the two steps remain. */
const CANNOT_BATCH: readonly number[] = [4200, 5700, 5710, 5740, 5750, 5760];

/**
 * Subscribes with one request to the wallet: the smart account removes the obstacles that it can remove and approves
 * the permission. After an interruption the approved permission is used again, so that the account approves only one.
 */
export async function subscribeTogether(
  page: SubscribePage,
  api: SubscribeApi,
  wallet: CustomerWallet,
  choice: SubscriberChoice,
) {
  const { account, token } = choice;
  const key = `${account}:${token.id}`;
  const drafted = approved.get(key) ?? (await draftPermission(page, api, choice));
  const { chainId, permission, approval, draftToken } = drafted;
  if (!approved.has(key)) {
    await wallet.useNetwork();
    page.says(page.sayWallet('confirm'));
    const fixes = page.ui.preflight?.obstacles.flatMap(({ fix: { transactions } }) => transactions) ?? [];
    const calls = [...fixes, approval].map(({ to, data }) => ({ to, data, value: '0x0' }));
    try {
      const { provider } = wallet.connected()!;
      await sendCalls(provider, { from: account, chainId, atomicRequired: true, calls });
    } catch (error) {
      if (!CANNOT_BATCH.includes(errorCode(error))) throw error;
      page.draw({ together: false });
      throw new PageProblem(page.say('problem.batch'));
    }
    approved.set(key, drafted);
  }
  page.says(page.say('doing.subscribe'));
  try {
    const made = await seenApproved(() =>
      api.create({
        customerWallet: account,
        chainId,
        draftToken,
        permissionSignature: '0x',
        permissionData: permission,
        ...contactOf(page),
      }),
    );
    approved.delete(key);
    return made;
  } catch (error) {
    if (error instanceof ApiError && REFUSED.includes(error.code)) approved.delete(key);
    throw error;
  }
}

/** Codes of the server for a permission that it will not take. */
const REFUSED: readonly string[] = ['invalid_signature', 'invalid_permission', 'plan_not_found'];

/** The drafts that are approved on the chain and not subscribed with yet, by account and token. */
const approved = new Map<string, Awaited<ReturnType<SubscribeApi['draft']>>>();

/** Asks again while the server's node has not seen the approval. */
async function seenApproved<Result>(create: () => Promise<Result>): Promise<Result> {
  for (let look = 1; ; look++) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'invalid_signature') || look === approvalLooks) throw error;
      await pause(approvalLookMs);
    }
  }
}
