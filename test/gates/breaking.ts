import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildASTSchema,
  buildSchema,
  type ConstDirectiveNode,
  findBreakingChanges,
  GraphQLSchema,
  parse,
  visit,
} from 'graphql';
import { printedSchema } from '../../src/doors/http/server/schema.ts';
import { root } from './sources.ts';

/**
 * Breaking changes of the schema since the last commit, and since the one before it for a checkout without changes. The
 * changes that the changelog names for the next release are accepted.
 */
export function breakingFaults(): string[] {
  const after = printedSchema();
  const breaks = ['HEAD', 'HEAD^'].flatMap((commit) => breaksBetween(schemaAt(commit) ?? after, after));
  return unnamedBreaks([...new Set(breaks)], readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).map(
    (found) => `schema.graphql: ${found} Mark it @deprecated first, or name it in CHANGELOG.md.`,
  );
}

/**
 * The changes without a coordinate (`Receipt.id`, `Query.receipt(receiptId:)`) in the section "Breaking (GraphQL)" of
 * the next release.
 */
export function unnamedBreaks(breaks: readonly string[], changelog: string): string[] {
  const unreleased = sectionOf(changelog, '## [Unreleased]');
  const section = sectionOf(unreleased, '### Breaking (GraphQL)');
  const named = new Set([...section.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
  return breaks.filter((description) => !named.has(coordinateOf(description)));
}

/** A section of a Markdown text, up to the next heading of its level; empty if there is none. */
function sectionOf(text: string, heading: string): string {
  const [level] = heading.split(' ');
  const sections = text.split(new RegExp(`^(?=${level} )`, 'm'));
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** The schema coordinate of what a description of graphql-js is about. */
function coordinateOf(description: string): string {
  const [, argument, onField] = /^A required arg (\w+) on (\S+) was added/.exec(description) ?? [];
  if (argument) return `${onField}(${argument}:)`;
  const [, input, onType] = /^A required field (\w+) on input type (\w+) was added/.exec(description) ?? [];
  if (input) return `${onType}.${input}`;
  const [, value, ofEnum] = /^(\w+) was removed from enum type (\w+)/.exec(description) ?? [];
  if (value) return `${ofEnum}.${value}`;
  const [, field, changed] = /^(\S+) arg (\w+) /.exec(description) ?? [];
  if (field) return `${field}(${changed}:)`;
  return description.split(' ')[0] as string;
}

/** Breaking changes between two schemas. `@deprecated` parts, and types that only they use, may be removed. */
export function breaksBetween(before: string, after: string): string[] {
  const current = visit(parse(before), {
    FieldDefinition: dropDeprecated,
    InputValueDefinition: dropDeprecated,
    EnumValueDefinition: dropDeprecated,
  });
  const whole = buildASTSchema(current);
  const reachable = new GraphQLSchema({
    query: whole.getQueryType(),
    mutation: whole.getMutationType(),
    subscription: whole.getSubscriptionType(),
    directives: whole.getDirectives(),
  });
  return findBreakingChanges(reachable, buildSchema(after)).map(({ description }) => description);
}

/** A visitor: null removes the node. */
const dropDeprecated = ({ directives }: { readonly directives?: readonly ConstDirectiveNode[] }) =>
  directives?.some(({ name }) => name.value === 'deprecated') ? null : undefined;

/** The schema at a commit; null without git history, as in an archive. */
function schemaAt(commit: string): string | null {
  try {
    return execFileSync('git', ['show', `${commit}:schema.graphql`], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}
