import { html } from '../shared/html.ts';

/** The path of the GraphQL reference. */
export const GRAPHQL_PATH = '/docs/graphql';

const LINKS = [
  ['/docs', 'REST'],
  [GRAPHQL_PATH, 'GraphQL'],
  ['/api/schema.graphql', 'GraphQL schema'],
  ['/docs/errors', 'Errors'],
] as const;

/** The links between the references. With `graphiql`, also the one to the editor. */
export const references = (current: (typeof LINKS)[number][0], graphiql: boolean) =>
  html`<nav class="references" aria-label="References">
${LINKS.map(([href, text]) => (href === current ? html`<a href="${href}" aria-current="page">${text}</a>\n` : html`<a href="${href}">${text}</a>\n`))}${graphiql && html`<a href="/api/graphql?docs">GraphiQL</a>\n`}</nav>`;
