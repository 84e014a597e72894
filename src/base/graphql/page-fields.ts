import type { FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from '@pothos/core';
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { type Caller, type Page, pageOf } from '../core/caller.ts';
import type { Refusal } from '../core/errors.ts';
import { forbid } from '../core/forbidden.ts';

/** Both pages of a receipt: the one that may write and the read-only one. */
export const RECEIPT_PAGES = ['receipt', 'receipt_read_only'] as const satisfies readonly Page[];

declare global {
  // Interfaces merge only if names and type parameters equal those of Pothos.
  export namespace PothosSchemaTypes {
    interface BaseTypeOptions<Types extends SchemaTypes = SchemaTypes> {
      /** The pages whose tokens may read the fields of the type. A field's own list overrides it. */
      pages?: readonly Page[];
    }
    interface FieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      ParentShape = unknown,
      Type extends TypeParam<Types> = TypeParam<Types>,
      Nullable extends FieldNullability<Type> = FieldNullability<Type>,
      Args extends InputFieldMap = InputFieldMap,
      ResolveShape = unknown,
      ResolveReturnShape = unknown,
    > {
      /** The pages whose tokens may read the field. Default: the list of its type. */
      pages?: readonly Page[];
    }
  }
}

interface Listed {
  readonly pages?: readonly Page[];
}

const optionsOf = ({ extensions }: { readonly extensions: object }): Listed =>
  (extensions as { pothosOptions?: Listed }).pothosOptions ?? {};

/** The pages whose tokens may read a field: the field's own list, else the list of its type, else none. */
export const pagesOf = (
  type: GraphQLObjectType,
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
): readonly Page[] => optionsOf(field).pages ?? optionsOf(type).pages ?? [];

/**
 * Creates the check of one operation: whether the caller's page may read every selected field, including fields that
 * directives leave out. Root fields have guards of their own and introspection fields name no data, so neither is
 * checked here. Callers without a page token pass. Refuses with `forbidden`.
 */
export function pageCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (caller: Caller) => Refusal | null {
  const known = new Map<Page, Refusal | null>();
  return (caller) => {
    const page = pageOf(caller);
    if (page === null) return null;
    const before = known.get(page);
    if (before !== undefined) return before;
    const hidden = firstHidden(schema, document, operation, page);
    const refusal = hidden === null ? null : forbid('page_token_limited', `This page does not show ${hidden}`);
    known.set(page, refusal);
    return refusal;
  };
}

/** The first selected field that the page may not read, as in `Receipt.metadata`. Each fragment is visited once. */
function firstHidden(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  page: Page,
): string | null {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === 'FragmentDefinition' ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const visited = new Set<string>();
  const objectType = (name: string): GraphQLObjectType | null => {
    const type = schema.getType(name);
    return isObjectType(type) ? type : null;
  };

  function walk(type: GraphQLObjectType, { selections }: SelectionSetNode): string | null {
    for (const selection of selections) {
      let hidden: string | null = null;
      if (selection.kind === 'InlineFragment') {
        const on = selection.typeCondition ? objectType(selection.typeCondition.name.value) : type;
        if (on) hidden = walk(on, selection.selectionSet);
      } else if (selection.kind === 'FragmentSpread') {
        const fragment = fragments.get(selection.name.value);
        if (!fragment || visited.has(selection.name.value)) continue;
        visited.add(selection.name.value);
        const on = objectType(fragment.typeCondition.name.value);
        if (on) hidden = walk(on, fragment.selectionSet);
      } else {
        const field = type.getFields()[selection.name.value];
        if (!field) continue;
        if (!roots.has(type) && !type.name.startsWith('__') && !pagesOf(type, field).includes(page))
          return `${type.name}.${field.name}`;
        const below = getNamedType(field.type);
        if (selection.selectionSet && isObjectType(below)) hidden = walk(below, selection.selectionSet);
      }
      if (hidden !== null) return hidden;
    }
    return null;
  }

  const root = schema.getRootType(operation.operation);
  return root ? walk(root, operation.selectionSet) : null;
}
