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

/** Where the schema breaks clients of the last commit, or of the one before it (which is what a checkout without changes of its own has broken). */
export function breakingFaults(): string[] {
  const after = printedSchema();
  const breaks = ['HEAD', 'HEAD^'].flatMap((commit) => breaksBetween(schemaAt(commit) ?? after, after));
  return [...new Set(breaks)].map((found) => `schema.graphql: ${found} Mark what goes @deprecated first.`);
}

/** What a client of one schema misses in the next. What the first has marked `@deprecated` may be gone, and the types that nothing else led to with it. */
export function breaksBetween(before: string, after: string): string[] {
  const standing = visit(parse(before), {
    FieldDefinition: leaveOutDeprecated,
    InputValueDefinition: leaveOutDeprecated,
    EnumValueDefinition: leaveOutDeprecated,
  });
  const whole = buildASTSchema(standing);
  const reachable = new GraphQLSchema({
    query: whole.getQueryType(),
    mutation: whole.getMutationType(),
    subscription: whole.getSubscriptionType(),
    directives: whole.getDirectives(),
  });
  return findBreakingChanges(reachable, buildSchema(after)).map(({ description }) => description);
}

/** As a visitor: null takes the node out. */
const leaveOutDeprecated = ({ directives }: { readonly directives?: readonly ConstDirectiveNode[] }) =>
  directives?.some(({ name }) => name.value === 'deprecated') ? null : undefined;

/** The schema as it was checked in; null where there is no such commit to be had, as in an archive. */
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
