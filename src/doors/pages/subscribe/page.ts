import type { Messages } from '../../../base/core/messages/generated/messages.d.ts';
import { sentWords, wordsOf } from '../../../base/core/messages/words.ts';
import { qrTile } from '../portal/qr.ts';
import { brandLine } from '../shared/brand.ts';
import { html, own } from '../shared/html.ts';
import { attributeJson, type Reading, sendWords } from '../shared/reading.ts';
import { messagePage, type PageAssets, shell } from '../shared/shell.ts';
import { renderStage } from './panels.ts';
import { everyPeriod, idleUi, networks, price, type SubscribeModel, type SubscribeView } from './stage.ts';

/** Messages that the script never draws. */
const SERVER_ONLY: readonly string[] = [
  'codeOfPage',
  'plan',
  'planId',
  'straight',
  'noScript',
  'cancel.noScript',
] satisfies (keyof Messages['subscribe'])[];

/** Whether the script of this page may say a message: a plan has one period, and often one token on one network. */
function isSent({ plan, tokens, chains }: SubscribeView): (key: string) => boolean {
  const unsaid: Readonly<Record<string, boolean>> = {
    'closed.title': plan.active,
    findMine: plan.active,
    again: !plan.active,
    currency: tokens.length < 2 || chains.length > 1,
    currencyNetwork: chains.length < 2,
    network: chains.length < 2,
  };
  return (key) =>
    !SERVER_ONLY.includes(key) && !unsaid[key] && (!key.startsWith('every.') || key === `every.${plan.period}`);
}

/** The part of the view that the changing stage needs. */
function modelOf({
  now,
  merchantName,
  plan,
  tokens,
  chains,
  subscription,
  pageUrl,
  againUrl,
  mailWords,
}: SubscribeView): SubscribeModel {
  const { description: _, ...shown } = plan;
  return { now, merchantName, plan: shown, tokens, chains, subscription, pageUrl, againUrl, mailWords };
}

/** The page of a plan. `nonce` must be fresh for each response and also be in its `pageCsp`. */
export function renderSubscribePage(view: SubscribeView, assets: PageAssets, nonce: string): string {
  const { reading, plan, merchantName, theme, chains } = view;
  const { language } = reading;
  const say = wordsOf('subscribe', language);
  const model = modelOf(view);
  const cost = price(say, plan.priceCents);
  const every = everyPeriod(say, plan.period);
  return shell({
    reading,
    title: `${plan.name} · ${merchantName}`,
    theme,
    assets,
    nonce,
    head: html`<meta name="page-token" content="${view.pageToken}">
<script type="module" src="${assets.script}"></script>
${sendWords({ subscribe: sentWords('subscribe', language, isSent(view)), wallet: sentWords('wallet', language) })}`,
    body: html`<main class="ticket" id="plan" data-subscribe='${attributeJson({ model, graphqlUrl: view.graphqlUrl })}'>
<header class="head">
  ${brandLine(merchantName, theme.brandLogoUrl)}
  <h1><span class="total-label"><bdi>${plan.name}</bdi></span> <span class="total">${cost}</span></h1>
  <p class="rate">${every}</p>
</header>
<div class="pay" id="stage">${renderStage(say, model, idleUi, null)}</div>
<template id="page-qr">${qrTile(view.pageUrl, say('codeOfPage'))}</template>
<section class="items" aria-label="${say('plan')}">
  ${plan.description !== '' && html`<p class="about" dir="auto">${plan.description}</p>`}
  <p class="sum"><span class="label">${every[0]?.toUpperCase()}${every.slice(1)}</span><span class="leader" aria-hidden="true"></span><span class="price">${cost}</span></p>
  <p class="number"><span>${say.parts('planId', { id: html`<bdi class="mono">${plan.planId}</bdi>` })}</span></p>
</section>
</main>
<p class="unseen" id="announcer" role="status" aria-live="polite"></p>
<footer class="foot">${chains.some(({ local }) => local) && html`<p class="test-net">${wordsOf('pages', language)('testNetwork')}</p>`}<p>${say.parts('straight', { shop: own(merchantName), chains: networks(say, chains) })}</p></footer>`,
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
