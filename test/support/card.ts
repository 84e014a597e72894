import type { Wallet } from '../../src/base/core/wallet.ts';
import { issuePageToken } from '../../src/domain/access/gateway/page-token.ts';
import { ask } from '../graphql/ask.ts';
import type { Answer } from './http.ts';
import type { TestMerchant, TestServer } from './server.ts';

/** What a receipt's page may say, for a test that is the page. */
export async function openCardPage(server: TestServer, merchant: TestMerchant, body: object = {}) {
  const answer = await server.call('POST', '/api/orders', {
    headers: merchant.auth,
    body: { items: [{ sku: 'TEA', qty: 1 }], ...body },
  });
  if (answer.status !== 200) throw new Error(`The order was refused: ${JSON.stringify(answer.body)}`);
  const { receiptId } = answer.body.receipt as { receiptId: string };
  const token = await issuePageToken(
    server.deps.settings,
    { merchant: merchant.wallet, receiptId },
    server.deps.clock(),
  );
  const auth = { authorization: `Bearer ${token}` };
  const mutate = (text: string, variables: object = {}) => ask(server, auth, text, { receiptId, ...variables });

  return {
    receiptId,
    auth,
    mutate,
    /** Begins the card checkout; what the mutation answers. */
    start: () =>
      mutate(
        'mutation ($receiptId: ID!) { startCardCheckout(receiptId: $receiptId) { provider url expiresAt opensInNewTab failure { code category reason action } } }',
      ),
    reportFailure: (code: string) =>
      mutate(
        'mutation ($receiptId: ID!, $code: FailureCode!) { reportFailure(receiptId: $receiptId, code: $code) { status failure { code } } }',
        { code },
      ),
    quote: (): Promise<{ token: string; payTo: Wallet; amount: string }> =>
      mutate(
        'mutation ($receiptId: ID!) { quotePayment(receiptId: $receiptId, token: "USDC") { token payTo amount } }',
      ).then(({ body: { data } }) => data.quotePayment),
    /** The receipt as GraphQL tells it. */
    read: async () =>
      (
        await mutate(
          `query ($receiptId: ID!) { receipt(receiptId: $receiptId) { status seq transactionHash totalUsd customerTotalUsd onrampSessionId isOnrampSessionUnique
             onrampSourceAmountUsd cardSession { provider status expiresAt } failure { code category reason action } history { kind status tracking } } }`,
        )
      ).body.data.receipt,
    /** What a merchant polls for. */
    status: (): Promise<Answer['body']> =>
      server
        .call('GET', `/api/receipts/status?receiptId=${receiptId}`, { headers: merchant.auth })
        .then(({ body: shown }) => shown),
    /** The page itself. */
    page: () =>
      server.call('GET', `/portal/${receiptId}?recipient=${merchant.wallet}`).then(({ body: markup }) => markup),
  };
}

export type CardPage = Awaited<ReturnType<typeof openCardPage>>;

/** Presses a button of the sandbox's page. */
export const decide = (url: string, outcome: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), headers, redirect: 'manual' });

/** Pulls the text out of markup. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** What the history tells, by name. */
export const namesOf = ({ history }: { history: { status: string; tracking: string | null }[] }) =>
  history.map(({ status, tracking }) => tracking ?? status);
