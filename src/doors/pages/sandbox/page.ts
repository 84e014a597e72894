import type { SandboxSession } from '../../../domain/payments/cards/sandbox-outcome.ts';
import { failureCatalogue } from '../../../domain/sales/receipts/failures.ts';
import { failureWords } from '../portal/failure-words.ts';
import { receiptMailNote } from '../portal/page.ts';
import type { MailPromise } from '../portal/view.ts';
import { formatCents } from '../shared/amounts.ts';
import { type Html, html } from '../shared/html.ts';
import { icon, seal } from '../shared/icons.ts';
import { ENGLISH } from '../shared/reading.ts';
import { type PageAssets, shell } from '../shared/shell.ts';

const BRAND = 'Sandbox Card Provider';

const GROUPS: Readonly<Record<string, string>> = {
  card_decline: 'The card is declined',
  compliance: 'The buyer is checked',
  limits: 'The amount is out of bounds',
  blockchain: 'The delivery goes wrong',
  session: 'The buyer goes away',
  system: 'The network fails',
};

/** The failures that have their own button. */
const OWN_BUTTON = 'PORTAL_SESSION_CANCELLED';

/** `PORTAL_PAY_DO_NOT_HONOR` → `Do not honor`. */
function nameOf(code: string): string {
  const words = code
    .replace(/^PORTAL_[A-Z0-9]+_/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return words
    .replace(/^./, (letter) => letter.toUpperCase())
    .replace(/\b(cvc|3ds|dob|kyc|tx)\b/gi, (word) => word.toUpperCase());
}

function failureChoice(): Html {
  const codes = Object.entries(failureCatalogue).filter(([code]) => code !== OWN_BUTTON);
  return html`<select name="outcome" id="outcome" required>${Object.entries(GROUPS).map(
    ([category, label]) =>
      html`<optgroup label="${label}">${codes.flatMap(([code, [its]]) =>
        its === category
          ? [
              html`<option value="${code}" ${code === 'PORTAL_PAY_CARD_DECLINED' && html`selected`}>${nameOf(code)}</option>`,
            ]
          : [],
      )}</optgroup>`,
  )}</select>`;
}

function testCard(session: SandboxSession): Html {
  return html`<div class="plastic" aria-hidden="true">
  <p class="plastic-top"><span>Test card</span><svg viewBox="0 0 40 28" width="40" height="28"><rect x="1" y="1" width="38" height="26" rx="6"/><path d="M1 10h12v8H1M39 10H27v8h12M13 10a7 7 0 0 1 14 0M13 18a7 7 0 0 0 14 0"/></svg></p>
  <p class="plastic-number"><span>4242</span><span>4242</span><span>4242</span><span>4242</span></p>
  <p class="plastic-foot"><span>${session.buyerName ?? 'Test Buyer'}</span><span>12 / 34</span></p>
</div>`;
}

function head({ customerTotalCents }: SandboxSession): Html {
  return html`<header class="head">
  <div class="brand"><span class="logo letter" aria-hidden="true">${icon('card')}</span><span>${BRAND}</span><span class="badge">Test</span></div>
  <h1><span class="total-label">Charged to your card</span> <span class="total">${formatCents(customerTotalCents, 'USD', 'en')}</span></h1>
</header>`;
}

function items(
  { sourceAmountCents, customerTotalCents, merchantName, token, receiptId }: SandboxSession,
  mail: MailPromise | null,
): Html {
  const line = (label: Html, cents: number) =>
    html`<li class="line"><span class="label">${label}</span><span class="leader" aria-hidden="true"></span><span class="price">${formatCents(cents, 'USD', 'en')}</span></li>`;
  return html`<section class="items" aria-label="What is charged">
  <ul class="lines">${line(html`${token} for <bdi>${merchantName}</bdi>`, sourceAmountCents)}${line(html`Fee of the card provider`, customerTotalCents - sourceAmountCents)}</ul>
  <p class="sum"><span class="label">Total</span><span class="leader" aria-hidden="true"></span><span class="price">${formatCents(customerTotalCents, 'USD', 'en')}</span></p>
  <p class="hint">This test page stands in for a card provider. No card is charged. A payment that succeeds is made in test ${token} on the local chain.</p>
  ${mail && receiptMailNote(mail)}
  <p class="number"><span>Receipt <span class="mono">${receiptId}</span></span></p>
</section>`;
}

function button(outcome: string, kind: 'primary' | 'quiet' | 'plain', label: Html): Html {
  return html`<button type="submit" name="outcome" value="${outcome}" class="${kind === 'plain' ? 'plain' : `button ${kind}`}" ${kind === 'primary' && html`id="pay"`}>${label}</button>`;
}

function choices(session: SandboxSession): Html {
  return html`<h2 id="stage-title">Pay with your card</h2>
${testCard(session)}
<form method="post" class="actions">${button('pay', 'primary', html`<span>Pay ${formatCents(session.customerTotalCents, 'USD', 'en')}</span>`)}</form>
<form method="post" class="fails" aria-labelledby="fails-title">
  <h3 id="fails-title">Or let it fail</h3>
  <div class="fails-row"><label class="unseen" for="outcome">How it fails</label><span class="choice">${failureChoice()}</span><button type="submit" class="button quiet" id="fail">Let it fail</button></div>
</form>
<form method="post" class="after">${button(OWN_BUTTON, 'plain', html`Cancel and go back to <bdi>${session.merchantName}</bdi>`)}</form>`;
}

/** The texts for sessions that have ended. */
function ending(session: SandboxSession, back: string): Html {
  const [mark, title, text] = session.failureCode
    ? [seal('cross', 'bad'), 'This payment was not made', failureWords(session.failureCode)]
    : [
        seal('check', 'mark'),
        'Paid with the test card',
        html`The payment is on its way to <bdi>${session.merchantName}</bdi>.`,
      ];
  return html`<div class="outcome">${mark}<h2 id="stage-title">${title}</h2><p class="lead">${text}</p></div>
<div class="actions"><a class="button primary" href="${back}" rel="noopener"><span>Back to <bdi>${session.merchantName}</bdi></span></a></div>`;
}

const isOver = ({ status }: SandboxSession): boolean => status !== 'initialized' && status !== 'requires_payment';

/**
 * The sandbox page of one session: the amount and the choice of outcome, or the result. `back` is the buyer's return
 * URL. `mail`: what it says of the message with the receipt.
 */
export function renderSandboxPage(
  session: SandboxSession,
  back: string,
  mail: MailPromise | null,
  assets: PageAssets,
  nonce: string,
): string {
  return shell({
    reading: ENGLISH,
    title: `${formatCents(session.customerTotalCents, 'USD', 'en')} · ${BRAND}`,
    theme: {},
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>`,
    body: html`<main class="ticket">
${head(session)}
<div class="pay"><div class="panel" data-session="${session.status}">${isOver(session) ? ending(session, back) : choices(session)}</div></div>
${items(session, mail)}
</main>
<footer class="foot"><p class="test-net">Test network: no real money moves.</p></footer>`,
  });
}

/** A page that redirects to another site, because the page's policy forbids a form response to redirect there. */
export function renderReturnPage(session: SandboxSession, to: string, assets: PageAssets, nonce: string): string {
  return shell({
    reading: ENGLISH,
    title: `Back to ${session.merchantName}`,
    theme: {},
    assets,
    nonce,
    head: html`<meta http-equiv="refresh" content="0;url=${to}">`,
    body: html`<main class="ticket single"><div class="pay"><div class="panel">${ending(session, to)}</div></div></main>`,
  });
}
