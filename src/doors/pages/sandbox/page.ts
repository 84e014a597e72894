import type { Words } from '../../../base/core/messages/fill.ts';
import { wordsOf } from '../../../base/core/messages/words.ts';
import type { SandboxSession } from '../../../domain/payments/cards/sandbox.ts';
import { failureCatalogue } from '../../../domain/sales/receipts/failures.ts';
import { failureWords } from '../portal/failure-words.ts';
import { receiptMailNote } from '../portal/page.ts';
import type { MailPromise } from '../portal/view.ts';
import { formatCents } from '../shared/amounts.ts';
import { type Html, html, own, type Part } from '../shared/html.ts';
import { icon, seal } from '../shared/icons.ts';
import type { Reading } from '../shared/reading.ts';
import { type PageAssets, shell } from '../shared/shell.ts';

const BRAND = 'Sandbox Card Provider';

const GROUPS = ['card_decline', 'compliance', 'limits', 'blockchain', 'session', 'system'] as const;

/** The failures that have their own button. */
const OWN_BUTTON = 'PORTAL_SESSION_CANCELLED';

type Say = Words<'sandbox'>;

/** Each failure by the sentence that the buyer reads. */
function failureChoice(say: Say): Html {
  const codes = Object.entries(failureCatalogue).filter(([code]) => code !== OWN_BUTTON);
  return html`<select name="outcome" id="outcome" required>${GROUPS.map(
    (category) =>
      html`<optgroup label="${say(`group.${category}`)}">${codes.flatMap(([code, [its]]) =>
        its === category
          ? [
              html`<option value="${code}" ${code === 'PORTAL_PAY_CARD_DECLINED' && html`selected`}>${failureWords(code, say.language)}</option>`,
            ]
          : [],
      )}</optgroup>`,
  )}</select>`;
}

function testCard(say: Say, session: SandboxSession): Html {
  return html`<div class="plastic" aria-hidden="true" dir="ltr">
  <p class="plastic-top"><span>${say('card')}</span><svg viewBox="0 0 40 28" width="40" height="28"><rect x="1" y="1" width="38" height="26" rx="6"/><path d="M1 10h12v8H1M39 10H27v8h12M13 10a7 7 0 0 1 14 0M13 18a7 7 0 0 0 14 0"/></svg></p>
  <p class="plastic-number"><span>4242</span><span>4242</span><span>4242</span><span>4242</span></p>
  <p class="plastic-foot"><span>${session.buyerName ?? say('buyer')}</span><span>12 / 34</span></p>
</div>`;
}

/** An amount of dollars, in its own direction. */
const dollars = ({ language }: Say, cents: number): Html => own(formatCents(cents, 'USD', language));

function head(say: Say, { customerTotalCents }: SandboxSession): Html {
  return html`<header class="head">
  <div class="brand"><span class="logo letter" aria-hidden="true">${icon('card')}</span><span>${BRAND}</span><span class="badge">${say('badge')}</span></div>
  <h1><span class="total-label">${say('charged')}</span> <span class="total">${dollars(say, customerTotalCents)}</span></h1>
</header>`;
}

function items(
  say: Say,
  { sourceAmountCents, customerTotalCents, merchantName, token, receiptId }: SandboxSession,
  mail: MailPromise | null,
): Html {
  const line = (label: Part, cents: number) =>
    html`<li class="line"><span class="label">${label}</span><span class="leader" aria-hidden="true"></span><span class="price">${dollars(say, cents)}</span></li>`;
  return html`<section class="items" aria-label="${say('items')}">
  <ul class="lines">${line(say.parts('for', { token, shop: own(merchantName) }), sourceAmountCents)}${line(say('fee'), customerTotalCents - sourceAmountCents)}</ul>
  <p class="sum"><span class="label">${wordsOf('payment', say.language)('total')}</span><span class="leader" aria-hidden="true"></span><span class="price">${dollars(say, customerTotalCents)}</span></p>
  <p class="hint">${say('note', { token })}</p>
  ${mail && receiptMailNote(mail, say.language)}
  <p class="number"><span>${wordsOf('order', say.language).parts('number', { id: html`<bdi class="mono">${receiptId}</bdi>` })}</span></p>
</section>`;
}

function button(outcome: string, kind: 'primary' | 'quiet' | 'plain', label: Html): Html {
  return html`<button type="submit" name="outcome" value="${outcome}" class="${kind === 'plain' ? 'plain' : `button ${kind}`}" ${kind === 'primary' && html`id="pay"`}>${label}</button>`;
}

function choices(say: Say, session: SandboxSession): Html {
  const shop = own(session.merchantName);
  return html`<h2 id="stage-title">${say('title')}</h2>
${testCard(say, session)}
<form method="post" class="actions">${button('pay', 'primary', html`<span>${say.parts('pay', { amount: dollars(say, session.customerTotalCents) })}</span>`)}</form>
<form method="post" class="fails" aria-labelledby="fails-title">
  <h3 id="fails-title">${say('fail.title')}</h3>
  <div class="fails-row"><label class="unseen" for="outcome">${say('fail.how')}</label><span class="choice">${failureChoice(say)}</span><button type="submit" class="button quiet" id="fail">${say('fail')}</button></div>
</form>
<form method="post" class="after">${button(OWN_BUTTON, 'plain', html`${say.parts('cancel', { shop })}`)}</form>`;
}

/** The texts for sessions that have ended. */
function ending(say: Say, { failureCode, merchantName }: SandboxSession, back: string): Html {
  const shop = own(merchantName);
  const [mark, title, text] = failureCode
    ? [seal('cross', 'bad'), say('not'), failureWords(failureCode, say.language)]
    : [seal('check', 'mark'), say('paid'), html`${say.parts('paid.text', { shop })}`];
  return html`<div class="outcome">${mark}<h2 id="stage-title">${title}</h2><p class="lead">${text}</p></div>
<div class="actions"><a class="button primary" href="${back}" rel="noopener"><span>${say.parts('back', { shop })}</span></a></div>`;
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
  reading: Reading,
  assets: PageAssets,
  nonce: string,
): string {
  const say = wordsOf('sandbox', reading.language);
  return shell({
    reading,
    title: `${formatCents(session.customerTotalCents, 'USD', reading.language)} · ${BRAND}`,
    theme: {},
    assets,
    nonce,
    head: html`<script type="module" src="${assets.script}"></script>`,
    body: html`<main class="ticket">
${head(say, session)}
<div class="pay"><div class="panel" data-session="${session.status}">${isOver(session) ? ending(say, session, back) : choices(say, session)}</div></div>
${items(say, session, mail)}
</main>
<footer class="foot"><p class="test-net">${wordsOf('pages', reading.language)('testNetwork')}</p></footer>`,
  });
}

/** A page that redirects to another site, because the page's policy forbids a form response to redirect there. */
export function renderReturnPage(
  session: SandboxSession,
  to: string,
  reading: Reading,
  assets: PageAssets,
  nonce: string,
): string {
  const say = wordsOf('sandbox', reading.language);
  return shell({
    reading,
    title: say('back', { shop: session.merchantName }),
    theme: {},
    assets,
    nonce,
    head: html`<meta http-equiv="refresh" content="0;url=${to}">`,
    body: html`<main class="ticket single"><div class="pay"><div class="panel">${ending(say, session, to)}</div></div></main>`,
  });
}
