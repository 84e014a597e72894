import { execFileSync } from 'node:child_process';
import {
  buildASTSchema,
  buildSchema,
  type ConstDirectiveNode,
  findBreakingChanges,
  GraphQLSchema,
  parse,
  visit,
} from 'graphql';
import { printedSchema } from '../../src/server/schema.ts';
import { root } from './sources.ts';

/** Breaking changes of the schema since the last commit, and since the one before it for a checkout without changes. */
export function breakingFaults(): string[] {
  const after = printedSchema();
  const breaks = ['HEAD', 'HEAD^'].flatMap((commit) => breaksBetween(schemaAt(commit) ?? after, after));
  return [...new Set(breaks)].map((found) => `schema.graphql: ${found} Mark it @deprecated first.`);
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
