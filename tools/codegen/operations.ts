import type { PluginFunction } from '@graphql-codegen/plugin-helpers';
import {
  type DefinitionNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from 'graphql';

interface Options {
  /** The module of the types, as these files import it. */
  readonly types: string;
  /** The module of the type `Operation`. Without it, operations are documents. */
  readonly operationModule?: string;
}

/**
 * Writes each operation as one compact text, or as one document, of the type of its result and its variables. A page's
 * script contains the text of its own operations only, and no parser or printer of GraphQL.
 */
export const plugin: PluginFunction<Options> = (_schema, files, { types, operationModule }) => {
  const definitions = files.flatMap(({ document }) => document?.definitions ?? []);
  const operations = definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const fragments = definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return {
    prepend: [
      operationModule === undefined
        ? `import type { TypedDocumentNode } from '@graphql-typed-document-node/core';`
        : `import type { Operation } from '${operationModule}';`,
      `import type * as types from '${types}';`,
      `export type * from '${types}';`,
    ],
    content:
      operationModule === undefined
        ? operations.map((operation) => documentOf(operation, fragments)).join('\n')
        : [
            ...fragments.map((fragment) => `const ${textName(fragment)} = '${compact(fragment)}';`),
            ...operations.map((operation) => textOf(operation, fragments)),
          ].join('\n'),
  };
};

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

const compact = (node: DefinitionNode): string => stripIgnoredCharacters(print(node));

/** The name of a fragment's constant. Each operation appends the fragments that it spreads. */
const textName = ({ name }: FragmentDefinitionNode): string => `${name.value}Text`;

function textOf(operation: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]): string {
  const parts = [`'${compact(operation)}'`, ...[...fragmentsIn(operation, fragments)].map(textName)];
  return `export const ${nameOf(operation)} = (${parts.join(' + ')}) as Operation<${typesOf(operation)}>;`;
}

function documentOf(operation: OperationDefinitionNode, fragments: readonly FragmentDefinitionNode[]): string {
  const text = [operation, ...fragmentsIn(operation, fragments)].map(compact).join('');
  const document = JSON.stringify(parse(text, { noLocation: true }), withoutEmptyLists);
  return `export const ${nameOf(operation)}Document = ${document} as unknown as TypedDocumentNode<${typesOf(operation)}>;`;
}

const withoutEmptyLists = (_key: string, value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? undefined : value;

function nameOf({ name }: OperationDefinitionNode): string {
  if (name === undefined) throw new Error('An operation has no name');
  return name.value;
}

/** The types of the result and of the variables. */
function typesOf(operation: OperationDefinitionNode): string {
  const type = `types.${nameOf(operation)}${operation.operation[0]?.toUpperCase()}${operation.operation.slice(1)}`;
  return `${type}, ${type}Variables`;
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
