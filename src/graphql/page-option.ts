import type { FieldNullability, InputFieldMap, SchemaTypes, TypeParam } from '@pothos/core';
import type { Page } from '../core/caller.ts';

/** Both pages of a receipt: the one that may write and the read-only one. */
export const RECEIPT_PAGES = ['receipt', 'receipt_read_only'] as const satisfies readonly Page[];

declare global {
  // The names and type parameters are those of Pothos: interfaces merge only where these are identical.
  export namespace PothosSchemaTypes {
    interface BaseTypeOptions<Types extends SchemaTypes = SchemaTypes> {
      /** The pages whose tokens read the fields of the type; a field's own list stands before it. */
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
      /** The pages whose tokens read the field; left out, the list of its type counts. */
      pages?: readonly Page[];
    }
  }
}
