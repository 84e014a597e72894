import { wordsOf } from '../../../base/core/messages/words.ts';
import { qrTile } from '../portal/qr.ts';
import { formatCents } from '../shared/amounts.ts';
import { brandLine } from '../shared/brand.ts';
import { html } from '../shared/html.ts';
import { ENGLISH, type Reading } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { renderStage } from './panels.ts';
import { everyPeriod, idleUi, type SubscribeModel, type SubscribeView } from './stage.ts';

/** The part of the view that the changing stage needs. */
function modelOf({
  now,
  merchantName,
  plan,
  tokens,
  chains,
  subscription,
  pageUrl,
  mailWords,
}: SubscribeView): SubscribeModel {
  const { description: _, ...shown } = plan;
  return { now, merchantName, plan: shown, tokens, chains, subscription, pageUrl, mailWords };
}

/** The page of a plan. `nonce` must be fresh for each response and also be in its `pageCsp`. */
export function renderSubscribePage(view: SubscribeView, assets: PageAssets, nonce: string): string {
  const { plan, merchantName, theme, chains } = view;
  const model = modelOf(view);
  const price = formatCents(plan.priceCents, 'USD', 'en');
  const every = everyPeriod(plan.period);
  return shell({
    reading: ENGLISH,
    title: `${plan.name} · ${merchantName}`,
    theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" src="${assets.script}"></script>`,
    body: html`<main class="ticket" id="plan" data-subscribe="${JSON.stringify({ model, graphqlUrl: view.graphqlUrl })}">
<header class="head">
  ${brandLine(merchantName, theme.brandLogoUrl)}
  <h1><span class="total-label"><bdi>${plan.name}</bdi></span> <span class="total">${price}</span></h1>
  <p class="rate">${every}</p>
</header>
<div class="pay" id="stage">${renderStage(model, idleUi, null)}</div>
<template id="page-qr">${qrTile(view.pageUrl, 'QR code of the address of this page')}</template>
<section class="items" aria-label="Plan">
  ${plan.description !== '' && html`<p class="about" dir="auto">${plan.description}</p>`}
  <p class="sum"><span class="label">${every[0]?.toUpperCase()}${every.slice(1)}</span><span class="leader" aria-hidden="true"></span><span class="price">${price}</span></p>
  <p class="number"><span>Plan <span class="mono">${plan.planId}</span></span></p>
</section>
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${chains.some(({ local }) => local) && html`<p class="test-net">Test network: no real money moves.</p>`}<p>Your payments go straight to <bdi>${merchantName}</bdi> on ${chains.map(({ name }) => name).join(' or ')}. No one holds them in between.</p></footer>`,
  });
}

/** The page for a URL that names no plan. */
export function renderNoPlanPage(reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('pages', reading.language);
  return messagePage(reading, assets, nonce, 'question', say('noPlan.title'), say('noPlan.text'));
}

/** The page for a temporary failure. */
export function renderPlanProblemPage(reading: Reading, assets: PageAssets, nonce: string): string {
  const say = wordsOf('pages', reading.language);
  return messagePage(reading, assets, nonce, 'clock', say('moment'), say('planAway'));
}
