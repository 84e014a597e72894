import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import {
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';

/**
 * Writes each operation as one compact text with the types of its result and its variables. A page's script contains
 * the text of its own operations only, and no parser or printer of GraphQL.
 */
export const plugin: PluginFunction<{ operationModule?: string }> = (_schema, files, config) => {
  const definitions = files.flatMap(({ document }) => document?.definitions ?? []);
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return {
    prepend: [`import type { Operation } from '${config.operationModule ?? '../client/graphql.ts'}';`],
    content: [
      ...fragments.map((fragment) => `const ${textOf(fragment)} = '${compact(fragment)}';`),
      ...operations.map((operation) => constantOf(operation, fragments)),
    ].join('\n'),
  };
};

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

const compact = (node: Definition): string => stripIgnoredCharacters(print(node));

/** The name of a fragment's constant. Each operation appends the fragments that it spreads. */
const textOf = ({ name }: FragmentDefinitionNode): string => `${name.value}Text`;

function constantOf(operation: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]): string {
  const name = operation.name?.value;
  if (name === undefined) throw new Error('An operation of a page has no name');
  const type = name + operation.operation[0]?.toUpperCase() + operation.operation.slice(1);
  const parts = [`'${compact(operation)}'`, ...[...fragmentsIn(operation, fragments)].map(textOf)];
  return `export const ${name} = (${parts.join(' + ')}) as Operation<${type}, ${type}Variables>;`;
}

/** The fragments that an operation spreads, each once. */
function fragmentsIn(
  operation: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
): ReadonlySet<FragmentDefinitionNode> {
  const found = new Set<FragmentDefinitionNode>();
  const collect = (node: Definition): void => {
    visit(node, {
      FragmentSpread(spread) {
        const fragment = fragments.find(({ name }) => name.value === spread.name.value);
        if (!fragment || found.has(fragment)) return;
        found.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(operation);
  return found;
}
