import { errorAdvice } from '../../../base/core/error-advice.ts';
import { type ErrorCode, errorCatalogue } from '../../../base/core/errors.ts';
import { FORBIDDEN_REASONS, SESSION_REASONS } from '../../../base/core/forbidden.ts';
import { type Html, html } from '../shared/html.ts';
import { type PageAssets, shell } from '../shared/shell.ts';

/** Text with the parts between backticks as code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const entry = ([code, [status, sentence]]: [string, readonly [number, string]]): Html => html`
<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <small>HTTP ${status}</small></h2>
<p>${prose(sentence)}</p>
<p>${prose(errorAdvice[code as ErrorCode])}</p>
</section>`;

const reason = ([name, meaning]: [string, string]): Html =>
  html`<dt><code>${name}</code></dt><dd>${prose(meaning)}</dd>`;

/** The page that describes every error code, each under the anchor that `extensions.docs` of an error names. */
export function renderErrors(assets: PageAssets, nonce: string): string {
  return shell({
    title: 'Errors of the Quittance API',
    theme: {},
    assets,
    nonce,
    body: html`<main class="errors">
<p><a href="/docs">API reference</a></p>
<h1>Errors</h1>
<p>REST names the code in <code>error</code>, GraphQL in <code>extensions.code</code>. Compare the code, not the message.
The correlation id of an answer names it in the server’s log.</p>
${Object.entries(errorCatalogue).map(entry)}
<h2 id="reasons">Reasons of <code>forbidden</code></h2>
<dl>${Object.entries(FORBIDDEN_REASONS).map(reason)}</dl>
<h2 id="session-reasons">Reasons of <code>unauthorized</code></h2>
<dl>${Object.entries(SESSION_REASONS).map(reason)}</dl>
</main>`,
  });
}
